import { isatty } from "node:tty";
import type { Command } from "commander";
import { Option } from "commander";
import { MoonpackError } from "moonpack/bytes";
import { JsonSink } from "../convert/json-sink.js";
import { readJson, readNdjson } from "../convert/json-source.js";
import { MsgpackSink } from "../convert/msgpack-sink.js";
import type { Sink } from "../convert/sink.js";
import { TYPED_FORMS } from "../convert/typed.js";
import { isPck } from "../pck/options.js";
import { SCHEMA_FILES } from "../pck/schema-help.js";
import { countArgument } from "../shared/count.js";
import { DataError, Failure, UsageError } from "../shared/failure.js";
import { type Format, formatOf, isUnnamed, settleFormats } from "../shared/formats.js";
import { ByteWindow } from "../shared/input.js";
import { detail } from "../shared/messages.js";
import { Output } from "../shared/output.js";
import { inputPath, outputPath } from "../shared/paths.js";
import { Progress } from "../shared/progress.js";
import { sniff } from "../shared/sniff.js";

/** Options of `moonpack convert`, as the command line gives them. */
interface ConvertOptions {
  readonly from?: Format | undefined;
  readonly to?: Format;
  readonly typed: boolean;
  readonly pretty: boolean;
  readonly bigIntegers: boolean;
  readonly canonical: boolean;
  readonly schema?: string;
  readonly export?: string;
  readonly framed: boolean;
  readonly maxElements?: number;
}

/** The default depth limit of MessagePack readers: they can read what the CLI writes. */
const MAX_DEPTH = 512;
/** Larger arrays and maps are converted in parts, so that memory stays flat. */
const WHOLE_BYTES = 128 * 1024;
const FORMATS = ["json", "ndjson", "msgpack", "pck", "message"];

/** Adds `moonpack convert` to the program. */
export function addConvert(program: Command): void {
  program
    .command("convert")
    .description(
      "Converts files and pipes of any size between JSON, NDJSON (one JSON value per line) and MessagePack. " +
        "NDJSON converts to and from a sequence of MessagePack messages, JSON to and from exactly one. " +
        "Converts PCK containers and messages to JSON and NDJSON, and back with their schema.",
    )
    .argument("[input]", "file to read; - or none: standard input", "-")
    .argument("[output]", "file to write, replaced only when complete; - or none: standard output", "-")
    .addOption(
      new Option("-f, --from <format>", "input format; default: from the file name, or a pipe's first bytes").choices(
        FORMATS,
      ),
    )
    .addOption(new Option("-t, --to <format>", "output format; default: from the file name").choices(FORMATS))
    .option("--typed", "use the forms below for values that JSON cannot hold", false)
    .option("--pretty", "indent JSON by two spaces", false)
    .option(
      "--big-integers",
      "write integers beyond 2^53 as plain digits: exact, but many JSON readers round them",
      false,
    )
    .option("--canonical", "sort map keys, so that equal data gives equal bytes (holds each message in memory)", false)
    .option("-s, --schema <file>", "PCK: schema of the output, or of an input message")
    .option("-e, --export <name>", "PCK: name of the schema's export, in a module")
    .option("--framed", "PCK: messages begin with their schema's fingerprint", false)
    .option(
      "--max-elements <n>",
      "PCK: most elements in one value (default: 2 per byte plus 1,048,576); raise it only for trusted data",
      countArgument("--max-elements"),
    )
    .addHelpText("after", HELP)
    .action(async (input: string, output: string, options: ConvertOptions) => {
      await convert(inputPath(input), outputPath(output), options);
    });
}

async function convert(input: string, output: string, options: ConvertOptions): Promise<void> {
  if (options.from !== undefined || !isUnnamed(input)) return convertFrom(input, undefined, output, options);
  if (input === "-" && isatty(0))
    throw new UsageError("convert needs a file or a pipe, for example: moonpack convert data.json data.msgpack");
  const window = await ByteWindow.open(input);
  try {
    await convertFrom(input, window, output, { ...options, from: await sniffed(window, output, options) });
  } finally {
    await window.close();
  }
}

/** Returns the format that the first bytes show; undefined if the format of the output determines it. */
async function sniffed(window: ByteWindow, output: string, options: ConvertOptions): Promise<Format | undefined> {
  const found = await sniff(window);
  const to = options.to ?? formatOf(output);
  const isToJson = to === "json" || to === "ndjson";
  if (options.schema === undefined) return isToJson && found?.isCertain === false ? undefined : found?.format;
  if (found?.format === "pck") return "pck";
  // A message may have any bytes. Only PCK is converted to JSON by a schema.
  if (isToJson || found === undefined) return undefined;
  // Lines are read as they arrive.
  if (to === "pck" && found.format === "json" && found.isList !== true) return (await sniff(window, true))?.format;
  return found.format === "msgpack" ? "message" : found.format;
}

/** Converts an input; `opened` is its window if it is open. */
async function convertFrom(
  input: string,
  opened: ByteWindow | undefined,
  output: string,
  options: ConvertOptions,
): Promise<void> {
  const hasSchema = options.schema !== undefined;
  const isEmpty = opened?.size === 0;
  const { from, to } = settleFormats({ input, output, from: options.from, to: options.to, hasSchema, isEmpty });
  detail(() => `converts ${from} to ${to}`);
  if (isPck(from) || isPck(to)) {
    const { convertPck } = await import("../pck/convert.js");
    return convertPck(from, to, { input, opened, output }, options);
  }
  if (hasSchema || options.export !== undefined || options.framed || options.maxElements !== undefined)
    throw new UsageError(
      "--schema, --export, --framed and --max-elements need PCK, but neither input nor output is PCK",
    );
  checkOptions(from, to, output, options);
  const window = opened ?? (await ByteWindow.open(input));
  const progress = new Progress("converting", window.total);
  let sink: Sink | undefined;
  try {
    sink = watched(sinkFor(to, Output.open(output), options), () => progress.update(window.position));
    await read(from, to, window, sink, options);
  } catch (error) {
    sink?.discard();
    throw await named(error, input, from, window);
  } finally {
    progress.stop();
    await window.close();
  }
}

/** Adds the file's name to an error about its data. */
async function named(error: unknown, input: string, from: Format, window: ByteWindow): Promise<unknown> {
  if (error instanceof MoonpackError) return DataError.of(input, from !== "msgpack", error, window);
  // A string longer than V8 allows: V8's text does not name the file.
  if (error instanceof RangeError)
    return new Failure(`${input}: a value is too large to hold in memory (${error.message})`);
  return error;
}

function checkOptions(from: Format, to: Format, output: string, options: ConvertOptions): void {
  if (from === "ndjson" && to === "json")
    throw new UsageError("NDJSON holds many values, but JSON holds one: use --to ndjson");
  if (options.typed && from === "msgpack" && to === "msgpack")
    throw new UsageError("--typed needs JSON, but neither input nor output is JSON");
  if (options.pretty && to !== "json") throw new UsageError(`--pretty needs JSON output, but the output is ${to}`);
  if (options.bigIntegers && to === "msgpack")
    throw new UsageError("--big-integers needs JSON output, but the output is msgpack");
  if (options.canonical && to !== "msgpack")
    throw new UsageError(`--canonical needs MessagePack output, but the output is ${to}`);
  if (to === "msgpack" && output === "-" && process.stdout.isTTY) {
    throw new UsageError("MessagePack is binary and cannot be shown in a terminal: name an output file, or use a pipe");
  }
}

async function read(from: Format, to: Format, window: ByteWindow, sink: Sink, options: ConvertOptions): Promise<void> {
  const reading = { typed: options.typed, maxDepth: MAX_DEPTH, wholeBytes: options.canonical ? Infinity : WHOLE_BYTES };
  if (from === "json") return readJson(window, sink, reading);
  if (from === "ndjson") return readNdjson(window, sink, reading);
  // Loaded when needed: with moonpack/stream it is half of all modules that the command loads.
  const { readMsgpack } = await import("../convert/msgpack-source.js");
  await readMsgpack(window, sink, { ...reading, single: to === "json" });
}

function sinkFor(to: Format, output: Output, { typed, pretty, bigIntegers, canonical }: ConvertOptions): Sink {
  if (to === "msgpack") return new MsgpackSink(output, { canonical, maxDepth: MAX_DEPTH });
  return new JsonSink(output, { typed, indent: pretty ? 2 : 0, bigIntegers });
}

/** Returns the same sink, which also calls `report` after every batch. */
function watched(sink: Sink, report: () => void): Sink {
  const drain = sink.drain.bind(sink);
  sink.drain = async () => {
    await drain();
    report();
  };
  return sink;
}

const HELP = `
File extensions: .json; .ndjson .jsonl; .msgpack .mp .mpk; .pck. The first bytes
of a pipe show its format; lines of NDJSON above 1 MB need --from ndjson.
Without an output format, JSON is converted to MessagePack and the other way
round. With --schema, a file with .bin or without an extension is a PCK message,
and NDJSON is converted to a PCK container and the other way round.

Integers up to 64 bits are exact in both directions, even 9007199254740993.0. A
number that would be rounded, or is too large or too small for a float, is an
error with its offset. If an object has a key twice, the last one wins; in an
object above 128 KB it is an error, except with --canonical.

JSON cannot hold binary, timestamps, other extensions, integers beyond 2^53, NaN
and infinities, or keys that are not strings. Without --typed such a value is an
error with its path. With --typed it is written as

${TYPED_FORMS.map(([form, meaning]) => `  ${form}\n      ${meaning}`).join("\n")}

and read back to the same value and the same bytes.

PCK: the format pck is a container, which includes its schema; it holds the
values of a JSON list, the one value of other JSON, or NDJSON. The format
message is the bytes of one value, in JSON one value. In JSON, 64-bit integers
are decimal strings (or digits), binary is base64 and maps are lists of pairs
(or objects, if the keys are text). With --schema, a container is read as values
of that schema, if the two schemas are compatible.

${SCHEMA_FILES}

Exit codes: 0 done; 1 bad data, or a file that cannot be read or written;
2 bad usage.

Examples:
  moonpack convert data.json data.msgpack
  moonpack convert data.msgpack                       # JSON to the terminal
  moonpack convert events.ndjson events.msgpack       # one message a line
  moonpack convert --typed photo.msgpack photo.json   # binary and all
  curl -s https://api.example.com/rows | moonpack convert > rows.msgpack
  cat rows.msgpack | moonpack convert --pretty | less
  moonpack convert players.ndjson players.pck --schema player.ts
  moonpack convert players.pck                        # NDJSON to the terminal
  moonpack convert old.pck new.pck --schema player.ts # a newer schema's values
  moonpack convert player.json player.bin --schema player.ts
`;
