import type { Command } from "commander";
import { Option } from "commander";
import { MoonpackError } from "moonpack/bytes";
import { JsonSink } from "../convert/jsonSink.js";
import { readJson, readNdjson } from "../convert/jsonSource.js";
import { MsgpackSink } from "../convert/msgpackSink.js";
import { readMsgpack } from "../convert/msgpackSource.js";
import type { Sink } from "../convert/sink.js";
import { TYPED_FORMS } from "../convert/typed.js";
import { convertPck, isPck } from "../pck/convert.js";
import { SCHEMA_FILES } from "../pck/schemaFile.js";
import { DataError, Failure, UsageError } from "../shared/failure.js";
import { type Format, settleFormats } from "../shared/formats.js";
import { ByteWindow } from "../shared/input.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { Progress } from "../shared/progress.js";

/** Options of `moonpack convert`, as the command line gives them. */
interface ConvertOptions {
  readonly from?: Format;
  readonly to?: Format;
  readonly typed: boolean;
  readonly pretty: boolean;
  readonly bigIntegers: boolean;
  readonly canonical: boolean;
  readonly schema?: string;
  readonly export?: string;
  readonly framed: boolean;
}

/** MessagePack's readers take 512 open containers by default: what we write, they can read. */
const MAX_DEPTH = 512;
/** Values up to this size are converted whole, larger arrays and maps in parts: memory stays flat. */
const WHOLE_BYTES = 128 * 1024;
const FORMATS = ["json", "ndjson", "msgpack", "pck", "message"];

/** Adds `moonpack convert` to the program. */
export function addConvert(program: Command): void {
  program
    .command("convert")
    .summary("convert between JSON, NDJSON, MessagePack and PCK")
    .description(
      "Converts between JSON, NDJSON (one JSON value a line) and MessagePack, files or pipes, of any size. " +
        "NDJSON stands for a sequence of MessagePack messages, JSON for exactly one. " +
        "Converts PCK containers and messages to JSON and NDJSON, and back by their schema.",
    )
    .argument("[input]", "file to read; - or nothing: standard input", "-")
    .argument("[output]", "file to write, replaced only when complete; - or nothing: standard output", "-")
    .addOption(new Option("-f, --from <format>", "format of the input, if its name does not tell").choices(FORMATS))
    .addOption(new Option("-t, --to <format>", "format of the output, if its name does not tell").choices(FORMATS))
    .option("--typed", "write and read what JSON cannot hold as the forms below", false)
    .option("--pretty", "indent JSON by two spaces", false)
    .option(
      "--big-integers",
      "write integers beyond 2^53 as plain JSON digits: exact, but many readers round them",
      false,
    )
    .option("--canonical", "sort map keys: equal data gives equal bytes (holds each message in memory)", false)
    .option("-s, --schema <file>", "PCK: the schema of what is written, or of a message that is read")
    .option("-e, --export <name>", "PCK: what the schema's module exports it as")
    .option("--framed", "PCK: a message begins with its schema's fingerprint", false)
    .addHelpText("after", HELP)
    .action(async (input: string, output: string, options: ConvertOptions) => {
      await convert(input === "-" ? "-" : userPath(input), output === "-" ? "-" : userPath(output), options);
    });
}

async function convert(input: string, output: string, options: ConvertOptions): Promise<void> {
  const hasSchema = options.schema !== undefined;
  const { from, to } = settleFormats({ input, output, from: options.from, to: options.to, hasSchema });
  if (isPck(from) || isPck(to)) return convertPck(from, to, input, output, options);
  if (hasSchema || options.export !== undefined || options.framed)
    throw new UsageError("--schema, --export and --framed are for PCK, and neither side is PCK");
  checkOptions(from, to, output, options);
  const window = await ByteWindow.open(input);
  const progress = new Progress("converting", window.total);
  let sink: Sink | undefined;
  try {
    sink = watched(sinkFor(to, Output.open(output), options), () => progress.update(window.position));
    await read(from, to, window, sink, options);
  } catch (error) {
    sink?.discard();
    throw await named(error, input, from);
  } finally {
    progress.stop();
    await window.close();
  }
}

/** Says in which file it went wrong, when it is the data that did. */
async function named(error: unknown, input: string, from: Format): Promise<unknown> {
  if (error instanceof MoonpackError) return DataError.of(input, from !== "msgpack", error);
  // A string that V8 cannot hold: its text names no file.
  if (error instanceof RangeError)
    return new Failure(`${input}: a value is too large to hold in memory (${error.message})`);
  return error;
}

function checkOptions(from: Format, to: Format, output: string, options: ConvertOptions): void {
  if (from === "ndjson" && to === "json")
    throw new UsageError("NDJSON holds many values, JSON one: --to ndjson keeps lines");
  if (options.typed && from === "msgpack" && to === "msgpack")
    throw new UsageError("--typed is for JSON, and neither side is JSON");
  if (options.pretty && to !== "json") throw new UsageError(`--pretty is for JSON output, and the output is ${to}`);
  if (options.bigIntegers && to === "msgpack")
    throw new UsageError("--big-integers is for JSON output, and the output is msgpack");
  if (options.canonical && to !== "msgpack")
    throw new UsageError(`--canonical is for MessagePack output, and the output is ${to}`);
  if (to === "msgpack" && output === "-" && process.stdout.isTTY) {
    throw new UsageError("MessagePack is no text for a terminal: name an output file, or pipe it");
  }
}

async function read(from: Format, to: Format, window: ByteWindow, sink: Sink, options: ConvertOptions): Promise<void> {
  const reading = { typed: options.typed, maxDepth: MAX_DEPTH, wholeBytes: options.canonical ? Infinity : WHOLE_BYTES };
  if (from === "json") await readJson(window, sink, reading);
  else if (from === "ndjson") await readNdjson(window, sink, reading);
  else await readMsgpack(window, sink, { ...reading, single: to === "json" });
}

function sinkFor(to: Format, output: Output, { typed, pretty, bigIntegers, canonical }: ConvertOptions): Sink {
  if (to === "msgpack") return new MsgpackSink(output, { canonical, maxDepth: MAX_DEPTH });
  return new JsonSink(output, { typed, indent: pretty ? 2 : 0, bigIntegers });
}

/** The same sink, with somebody told after every batch. */
function watched(sink: Sink, tell: () => void): Sink {
  const drain = sink.drain.bind(sink);
  sink.drain = async () => {
    await drain();
    tell();
  };
  return sink;
}

const HELP = `
Names that tell a format: .json, .ndjson .jsonl, .msgpack .mp .mpk, .pck.
Without one, the other side of JSON is MessagePack. With --schema, a file of
another name is a PCK message, and the other side of NDJSON a PCK container.

Integers up to 64 bits are exact in both directions, 9007199254740993.0 too.
What would have to be rounded, or is too large or too small for a float, is an
error with its offset. Of a key that comes twice the later one wins; in an
object too large to hold (above 128 KB) it is an error, except with --canonical.

JSON cannot hold binary, timestamps, other extensions, integers beyond 2^53, NaN
and infinities, or keys that are not strings: converting them stops with the
value's path, unless --typed writes them as

${TYPED_FORMS.map(([form, meaning]) => `  ${form}\n      ${meaning}`).join("\n")}

which --typed also reads, to the same values and, encoded again, the same bytes.

PCK: pck is a container, which says its own schema: a JSON list of values, or
NDJSON. message is the bytes of one value: JSON. 64-bit integers are decimal
strings there, binary is base64, maps are lists of pairs. A container that is
read with --schema is read as that schema's values, whatever schema it has, if
the one can be read as the other.

${SCHEMA_FILES}

Exit codes: 0 done; 1 bad data, or a file that cannot be read or written;
2 bad usage.

Examples:
  moonpack convert data.json data.msgpack
  moonpack convert data.msgpack                       # JSON to the terminal
  moonpack convert events.ndjson events.msgpack       # one message a line
  moonpack convert --typed photo.msgpack photo.json   # binary and all
  curl -s https://api.example.com/rows |
    moonpack convert --from json > rows.msgpack
  cat rows.msgpack | moonpack convert --from msgpack --pretty | less
  moonpack convert players.ndjson players.pck --schema player.ts
  moonpack convert players.pck                        # NDJSON to the terminal
  moonpack convert old.pck new.pck --schema player.ts # a newer schema's values
  moonpack convert player.json player.bin --schema player.ts
`;
