import { isatty } from "node:tty";
import type { Command } from "commander";
import { Option } from "commander";
import { encode } from "moonpack";
import { DecodeError, MoonpackError } from "moonpack/bytes";
import { type JsonStyle, jsonText } from "../convert/json-text.js";
import { type NamedPath, type Wanted, wantedBy } from "../pick/arguments.js";
import { PICK_FORMATS, type PickSource, pickedFrom } from "../pick/messages.js";
import { DataError, UsageError } from "../shared/failure.js";
import { FORMATS_WITHOUT_SCHEMA, formatOf, isUnnamed, undeterminedFormat } from "../shared/formats.js";
import { ByteWindow, tooLarge } from "../shared/input.js";
import { Output } from "../shared/output.js";
import { inputPath } from "../shared/paths.js";
import { Progress } from "../shared/progress.js";
import { sniff } from "../shared/sniff.js";

/** Options of `moonpack pick`, as the command line gives them. */
interface PickArguments {
  readonly from?: PickSource["format"];
  readonly sequence: boolean;
  readonly raw: boolean;
  readonly typed: boolean;
  readonly bigIntegers: boolean;
}

/** Adds `moonpack pick` to the program. */
export function addPick(program: Command): void {
  program
    .command("pick")
    .description(
      "Reads only some values of MessagePack or JSON, and prints them as JSON, one line for each message. The rest is " +
        "skipped, not decoded: of MessagePack, that is several times as fast as converting everything.",
    )
    .argument("<file>", "MessagePack, JSON or NDJSON; - for standard input")
    .argument("<paths...>", "JSON Pointers, such as /user/name; * is every element; name=/path names a value")
    .addOption(
      new Option("-f, --from <format>", "format of the file; default: from its name, or a pipe's first bytes").choices([
        ...PICK_FORMATS,
      ]),
    )
    .option("--sequence", "the file holds several MessagePack messages, one after another", false)
    .option("--raw", "write MessagePack, with the bytes of the values as they are in the file", false)
    .option("--typed", "use the forms of convert --typed for values that JSON cannot hold", false)
    .option("--big-integers", "print integers beyond 2^53 as plain digits", false)
    .addHelpText("after", HELP)
    .action(async (file: string, paths: string[], options: PickArguments) => {
      const path = inputPath(file);
      const wanted = wantedBy(paths, options.raw);
      if (options.from !== undefined || !isUnnamed(path)) {
        const source = { ...options, format: options.from ?? namedFormat(file) };
        checkOptions(source);
        return pick(path, await ByteWindow.open(path), source, wanted);
      }
      if (path === "-" && isatty(0))
        throw new UsageError("pick needs a file or a pipe, for example: moonpack pick a.msgpack /id");
      const window = await ByteWindow.open(path);
      try {
        const source = { ...options, format: await sniffedFormat(window, file, options.sequence) };
        checkOptions(source);
        await pick(path, window, source, wanted);
      } finally {
        await window.close();
      }
    });
}

const HELP = `
One path prints its value. Several paths, or a path with a name, print an object
of the values: its keys are the names, or else the paths. A value that a message
lacks is left out of an object, and is null where it is printed alone and in the
list of a *. The last of equal keys counts.

In a path, a number is a key or the index of an element; ~1 stands for a slash
in a key, and ~0 for ~. The path "" is the whole message.

Values that JSON cannot hold are errors with their path, as in convert: integers
beyond 2^53, binary, timestamps and other extensions, NaN and infinities, keys
that are not strings. --typed or --raw keep them.

A sequence and NDJSON are read message by message and may be of any size; a file
with one message is held in memory. All of a message is checked for structure;
JSON is read whole, by the rules of convert. An error ends the command; the
lines before it are printed.

Exit codes: 0 done; 1 bad data, or a file that cannot be read; 2 bad usage.

Examples:
  moonpack pick order.msgpack /user/name '/items/*/sku'
  moonpack pick order.json id=/id first=/items/0/sku
  moonpack pick events.msgpack --sequence /level /ms | grep error
  moonpack pick --raw envelope.msgpack /payload > payload.msgpack
  curl -s https://api.example.com/rows | moonpack pick - '/*/id'
`;

function namedFormat(file: string): PickSource["format"] {
  const format = formatOf(file);
  if (format === "json" || format === "ndjson" || format === "msgpack") return format;
  if (format === "pck") throw pckRefused(file);
  throw undeterminedFormat(file, false, FORMATS_WITHOUT_SCHEMA);
}

function pckRefused(file: string): UsageError {
  return new UsageError(
    `pick reads MessagePack and JSON, but ${file === "-" ? "standard input is PCK" : `${file} is PCK by its name`}; ` +
      `use: moonpack convert ${file} | moonpack pick - --from ndjson`,
  );
}

function checkOptions({ format, sequence, raw, typed, bigIntegers }: PickSource & PickArguments): void {
  if (sequence && format === "json")
    throw new UsageError("--sequence needs MessagePack; for JSON values on separate lines, use --from ndjson");
  if (raw && bigIntegers) throw new UsageError("--big-integers needs JSON output, but --raw writes MessagePack");
  if (raw && typed && format === "msgpack")
    throw new UsageError("--typed needs JSON, but neither input nor output is JSON");
  if (raw && process.stdout.isTTY)
    throw new UsageError("MessagePack is binary and cannot be shown in a terminal: use a pipe or > FILE");
}

/** Returns the format that the first bytes of a pipe show. */
async function sniffedFormat(window: ByteWindow, file: string, sequence: boolean): Promise<PickSource["format"]> {
  // Only MessagePack has sequences. The first line of NDJSON is printed as it arrives.
  const format = sequence ? "msgpack" : (await sniff(window, true))?.format;
  if (format === "pck") throw pckRefused(file);
  if (format === undefined) throw undeterminedFormat(file, window.size === 0, FORMATS_WITHOUT_SCHEMA);
  return format;
}

async function pick(
  file: string,
  window: ByteWindow,
  source: PickSource & PickArguments,
  wanted: Wanted,
): Promise<void> {
  const output = Output.open("-");
  const progress = new Progress("picking", window.total);
  const style: JsonStyle = { typed: source.typed, bigIntegers: source.bigIntegers, indent: 0 };
  const isMany = source.sequence || source.format === "ndjson";
  try {
    const ready = watched(window, async () => {
      await output.flush();
      progress.update(window.position);
    });
    let number = 0;
    const place = wanted.isBare && wanted.paths[0]!.path !== "" ? wanted.paths[0]!.path : "$";
    const path = () => (isMany ? `message ${number}: ${place}` : place);
    for await (const values of pickedFrom(ready, source, wanted.picker)) {
      number++;
      const value = shown(wanted, values as readonly unknown[]);
      if (source.raw) output.write(encode(value));
      else output.writeJson(`${jsonText(value, style, 0, path)}\n`);
      if (output.isFull) await output.drain();
    }
  } catch (error) {
    // What was picked before the error stays useful: a filter of logs is read as it is printed.
    await output.flush();
    throw await named(error, file, source, window);
  } finally {
    progress.stop();
    await window.close();
  }
  await output.finish();
}

/** Returns the same window, which also calls `before` when it has to wait for bytes. */
function watched(window: ByteWindow, before: () => Promise<void>): ByteWindow {
  const more = window.more.bind(window);
  window.more = async () => {
    await before();
    return more();
  };
  return window;
}

/** The value of a line. */
function shown({ paths, isBare }: Wanted, values: readonly unknown[]): unknown {
  if (isBare) return filled(values[0], paths[0]!.lists);
  const entries = paths.map(({ name, lists }: NamedPath, i) => [name, values[i], lists] as const);
  return new Map(
    entries.filter(([, value]) => value !== undefined).map(([name, value, lists]) => [name, filled(value, lists)]),
  );
}

/** Replaces what is missing by null, in lists of a `*` too. */
function filled(value: unknown, lists: number): unknown {
  if (value === undefined) return null;
  return lists === 0 ? value : (value as readonly unknown[]).map((item) => filled(item, lists - 1));
}

/** Adds the file's name to an error about its data. */
async function named(
  error: unknown,
  file: string,
  { format, sequence }: PickSource,
  window: ByteWindow,
): Promise<unknown> {
  if (error instanceof RangeError) return tooLarge(file);
  if (!(error instanceof MoonpackError)) return error;
  const failure = await DataError.of(file, format !== "msgpack", error, window);
  const isLonger = error instanceof DecodeError && error.code === "ERR_TRAILING_BYTES" && !sequence;
  if (!isLonger || format === "ndjson") return failure;
  const hint = format === "msgpack" ? "--sequence" : "--from ndjson";
  return new DataError("", `${failure.message}; use ${hint} to read further messages`, error);
}
