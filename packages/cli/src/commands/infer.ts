import { isatty } from "node:tty";
import { codec, fromDocument, type SchemaDocument } from "@moonpack/pck";
import { schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import { type Command, Option } from "commander";
import { encode } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import { jsonText } from "../convert/json-text.js";
import { SAMPLE_FORMATS, type SampleFormat, Samples, sampleFormat } from "../pck/samples.js";
import { countArgument } from "../shared/count.js";
import { DataError, describeError, UsageError } from "../shared/failure.js";
import { formatOf } from "../shared/formats.js";
import { Output } from "../shared/output.js";
import { inputPath, outputPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { grouped } from "../shared/table.js";
import { isQuiet } from "../shared/verbosity.js";

/** Options of `moonpack infer`, as the command line gives them. */
interface InferOptions {
  readonly from?: SampleFormat;
  readonly name?: string;
  readonly document: boolean;
  readonly out: string;
  readonly samples: number;
  readonly headroom?: number;
}

/** Adds `moonpack infer` to the program. */
export function addInfer(program: Command): void {
  program
    .command("infer")
    .description(
      "Makes a PCK schema that holds all samples: the narrowest types, optional fields, enumerations, unions, maps, and data that " +
        "contains itself. The schema goes to standard output as a TypeScript module; values that it cannot hold, and the sizes, to " +
        "standard error.",
    )
    .argument("[files...]", "files with samples; - or none: standard input")
    .addOption(
      new Option("-f, --from <format>", "format; default: from the file name, or a pipe's first bytes").choices(
        SAMPLE_FORMATS,
      ),
    )
    .option("-n, --name <name>", "name of the root struct (default: Root)")
    .option("--document", "print the schema as a JSON document, for other languages", false)
    .option("-o, --out <file>", "file to write, replaced only when complete", "-")
    .option("--samples <n>", "use at most this many samples, the first", countArgument("--samples"), 100_000)
    .option(
      "--headroom <n>",
      "choose integer types that hold n times the largest sample; 1: the narrowest (default: 1000)",
      countArgument("--headroom"),
    )
    .addHelpText("after", HELP)
    .action(async (files: string[], options: InferOptions) => {
      if (options.name === "") throw new UsageError("--name must not be empty");
      const named = files.length === 0 ? ["-"] : files;
      const formats = named.map((file) => sampleFormat(file, options.from, formatOf(file)));
      if (named.includes("-") && isatty(0))
        throw new UsageError("infer needs a file or a pipe, for example: moonpack infer samples.ndjson");
      const samples = new Samples(options.samples);
      for (const [index, file] of named.entries()) await samples.read(inputPath(file), formats[index]);
      const { document, problems } = inferred(samples, named, options);
      const output = Output.open(outputPath(options.out));
      output.writeText(options.document ? `${JSON.stringify(document, null, 2)}\n` : schemaSource(document));
      await output.finish();
      for (const { path, message } of problems)
        process.stderr.write(`${printable(`not in the schema as it is: ${path}: ${message}`)}\n`);
      if (!isQuiet()) process.stderr.write(`${sizeText(samples, document)}\n`);
      if (problems.length > 0) process.exitCode = 1;
    });
}

const HELP = `
A sample is an object: a line of NDJSON, a MessagePack message, a JSON file. If
a file holds a single list, the elements of the list are the samples.

A property that no type of PCK can hold (text here and a number there, a boolean
that may be missing) is named on standard error, and the exit code is 1. The
schema is written without it, so that it holds the rest of every sample.

The schema is a beginning: change its names, types and comments as you like. An
integer type of 8 or 16 bits is chosen if it holds a thousand times the largest
sample, one of 32 bits if it holds twice the largest sample. --headroom changes
the factor. 64-bit integers decode as bigints.

Exit codes: 0 done; 1 samples that the schema does not hold, or a file that
cannot be read; 2 bad usage.

Examples:
  moonpack infer samples.ndjson > sample.ts
  moonpack infer orders.json --name Order --out order.ts
  curl -s https://example.com/api | moonpack infer
  moonpack infer a.ndjson b.ndjson --document > schema.json
  moonpack convert samples.ndjson samples.pck --schema sample.ts
`;

function inferred(samples: Samples, files: readonly string[], { name, headroom }: InferOptions) {
  const place = files.length > 1 ? "" : files[0] === "-" ? "standard input" : files[0]!;
  if (samples.count === 0) throw new DataError(place, "the input has no samples", undefined);
  try {
    return infer(samples.kept, { ...(name !== undefined && { name }), ...(headroom !== undefined && { headroom }) });
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    throw new DataError(place, describeError(error), error);
  }
}

function sizeText(samples: Samples, document: SchemaDocument): string {
  const { kept, count } = samples;
  const of = kept.length < count ? `the first ${grouped(kept.length)} of ${grouped(count)} samples` : amount(count);
  const sizes = sizesOf(kept, document);
  if (sizes === undefined) return of;
  const texts = sizes.map(([format, bytes]) => `${grouped(bytes)} bytes of ${format}`);
  return `${of}: ${texts.join(", ")}`;
}

function amount(count: number): string {
  return count === 1 ? "1 sample" : `${grouped(count)} samples`;
}

/** Returns the sizes of all samples in several formats; undefined if the schema does not hold one of them. */
function sizesOf(samples: readonly unknown[], document: SchemaDocument): [format: string, bytes: number][] | undefined {
  const messages = codec(fromDocument(document), { maps: "object" });
  const style = { typed: false, bigIntegers: true, indent: 0 };
  let json = 0;
  let msgpack = 0;
  let pck = 0;
  try {
    for (const sample of samples) {
      json += Buffer.byteLength(jsonText(sample, style, 0, () => "$"));
      msgpack += encode(sample).length;
      pck += messages.size(sample as never);
    }
  } catch (error) {
    if (error instanceof MoonpackError) return undefined;
    throw error;
  }
  return [
    ["JSON", json],
    ["MessagePack", msgpack],
    ["PCK", pck],
  ];
}
