import { isatty } from "node:tty";
import type { AnySchema } from "@moonpack/pck";
import type { Command } from "commander";
import type { Diagnosis } from "moonpack";
import { DecodeError } from "moonpack/bytes";
import pc from "picocolors";
import { isContainer } from "../inspect/container.js";
import { type Part, partsOf } from "../inspect/parts.js";
import { SizeTree } from "../inspect/sizes.js";
import { SCHEMA_FILES } from "../pck/schema-help.js";
import { countArgument } from "../shared/count.js";
import { extensionNote } from "../shared/extensions.js";
import { DataError, UsageError } from "../shared/failure.js";
import { formatOf } from "../shared/formats.js";
import { ByteWindow, tooLarge } from "../shared/input.js";
import { Output } from "../shared/output.js";
import { inputPath } from "../shared/paths.js";
import { printable, printableJson } from "../shared/printable.js";
import { Progress } from "../shared/progress.js";
import { grouped, percent, renderTable } from "../shared/table.js";

/** Options of `moonpack inspect`, as the command line gives them. */
interface InspectOptions {
  readonly json: boolean;
  readonly sizes: boolean;
  readonly sequence: boolean;
  readonly hex: boolean;
  readonly limit?: number;
  readonly schema?: string;
  readonly export?: string;
  readonly framed: boolean;
}

const SHOWN_BYTES = 8;
const SHOWN_SIZES = 40;
/** Lines between two checks of the clock and of the output's backlog. */
const BATCH = 1000;

/** Adds `moonpack inspect` to the program. */
export function addInspect(program: Command): void {
  program
    .command("inspect")
    .description(
      "Shows every item of a MessagePack file, PCK container or PCK message: offset, bytes, format, meaning and path. " +
        "An invalid file is shown up to its error. With --sizes: the bytes that each key takes, with all elements of an " +
        "array added up.",
    )
    .argument("[file]", "MessagePack or PCK file; - or none: standard input", "-")
    .option("--json", "print one JSON object per line, for programs", false)
    .option("--sizes", "print sizes by key path, largest first; a container's size includes its content", false)
    .option("--sequence", "the file holds several messages, one after another", false)
    .option(
      "--limit <n>",
      `stop after n lines (default: no limit; with --sizes ${SHOWN_SIZES})`,
      countArgument("--limit"),
    )
    .option("-x, --hex", "print offsets in hexadecimal", false)
    .option("-s, --schema <file>", "the file is a PCK message of this schema")
    .option("-e, --export <name>", "name of the schema's export, in a module")
    .option("--framed", "the message begins with its schema's fingerprint", false)
    .addHelpText("after", HELP)
    .action(async (file: string, options: InspectOptions, command: Command) => {
      if (command.args.length === 0 && isatty(0))
        throw new UsageError("inspect needs a file or a pipe, for example: moonpack inspect data.msgpack");
      if (formatOf(file) === "json" || formatOf(file) === "ndjson") {
        throw new UsageError(
          `inspect reads MessagePack, but ${file} is JSON by its name; use: moonpack convert ${file} | moonpack inspect`,
        );
      }
      checkPckOptions(file, options);
      await inspect(inputPath(file), options);
    });
}

const HELP = `
A file is held in memory, its dump is not. From a pipe, the messages of a
sequence and the elements of an array or map are shown as they arrive and are
not held; PCK is held as a whole.

A PCK container is recognized by its extension (.pck) or its first bytes, and
includes its schema. A PCK message needs --schema; without it, the file is read
as MessagePack. Fields are shown in the order of their bytes. A value that has
only a bit (a bool, or an absent field) is shown at the byte with that bit.

${SCHEMA_FILES}

Exit codes: 0 done; 1 invalid data (after the dump), or a file that cannot be
read; 2 bad usage.

Examples:
  moonpack inspect data.msgpack
  moonpack inspect data.msgpack --sizes
  moonpack inspect data.msgpack --json | grep '"path":"$.users'
  curl -s https://api.example.com/rows | moonpack inspect --limit 50
  echo 82a2696407a16103 | xxd -r -p | moonpack inspect  # from hexadecimal
  moonpack inspect players.pck
  moonpack inspect player.bin --schema player.ts
`;

function checkPckOptions(file: string, { schema, framed, sequence, export: exported }: InspectOptions): void {
  if (schema === undefined) {
    if (framed || exported !== undefined) throw new UsageError("--framed and --export need --schema");
    if (sequence && formatOf(file) === "pck") throw new UsageError("--sequence needs MessagePack");
    return;
  }
  if (sequence) throw new UsageError("--sequence (for MessagePack) and --schema (for PCK) cannot be combined");
  if (formatOf(file) === "pck")
    throw new UsageError(`${file} is a container by its name and carries its own schema: leave out --schema`);
}

async function inspect(file: string, options: InspectOptions): Promise<void> {
  const schema = options.schema === undefined ? undefined : await schemaOf(options.schema, options.export);
  const window = await ByteWindow.open(file);
  const output = Output.open("-");
  const progress = new Progress("inspecting", window.total);
  let failure: DecodeError | undefined;
  try {
    const isPck = schema !== undefined || (!options.sequence && (await isContainer(window, file)));
    const parts = isPck ? await pckParts(window, schema, options.framed) : partsOf(window, options.sequence);
    failure = await (options.sizes ? writeSizes : writeDump)(parts, output, progress, options);
  } catch (error) {
    if (error instanceof DecodeError) throw await DataError.of(file, false, error);
    throw error instanceof RangeError ? tooLarge(file) : error;
  } finally {
    progress.stop();
    await window.close();
  }
  await output.finish();
  if (failure === undefined) return;
  const hint =
    failure.code === "ERR_TRAILING_BYTES" && !options.sequence
      ? "; use --sequence to show them as further messages"
      : "";
  const error = await DataError.of(file, false, failure);
  throw hint === "" ? error : new DataError("", error.message + hint, failure);
}

/** Loads PCK only for files of PCK. */
async function schemaOf(file: string, name: string | undefined): Promise<AnySchema> {
  const { loadSchema } = await import("../pck/schema-file.js");
  return loadSchema(file, name);
}

async function pckParts(
  window: ByteWindow,
  schema: AnySchema | undefined,
  framed: boolean,
): Promise<AsyncIterable<Part>> {
  const { pckPart } = await import("../inspect/pck-part.js");
  return pckPart(window, schema, framed);
}

/** Writes the dump part by part. Returns the first error in it. */
async function writeDump(
  parts: AsyncIterable<Part>,
  output: Output,
  progress: Progress,
  options: InspectOptions,
): Promise<DecodeError | undefined> {
  let failure: DecodeError | undefined;
  let lines = 0;
  for await (const part of parts) {
    const line = options.json ? jsonLine : dumpLine(part, options.hex);
    if (lines === 0 && !options.json) output.writeText(pc.dim(`${title(part, options.hex)}\n`));
    for (const item of part.items) {
      if (lines === options.limit) {
        const of = part.total === undefined ? "" : ` of ${part.total}`;
        if (!options.json) output.writeText(pc.dim(`.. stopped after ${lines} lines, at byte ${item.offset}${of}\n`));
        return failure;
      }
      output.writeText(`${line(item)}\n`);
      failure ??= item.error;
      if (++lines % BATCH > 0) continue;
      await output.drain();
      if (!process.stdout.isTTY) progress.update(item.offset);
    }
    await output.flush();
  }
  return failure;
}

function jsonLine(item: Diagnosis): string {
  const { error } = item;
  const shown = error === undefined ? item : { ...item, error: { code: error.code, message: error.message } };
  return printableJson(JSON.stringify(shown));
}

const BYTES_WIDTH = SHOWN_BYTES * 3 + 2;
const FORMAT_WIDTH = 15;

function title(part: Part, hex: boolean): string {
  return `${"offset".padStart(offsetWidth(part, hex))}  ${"bytes".padEnd(BYTES_WIDTH)}  ${"format".padEnd(FORMAT_WIDTH)}  meaning  path`;
}

function offsetWidth({ total = 0 }: Part, hex: boolean): number {
  return Math.max(6, total.toString(hex ? 16 : 10).length);
}

function dumpLine(part: Part, hex: boolean): (item: Diagnosis) => string {
  const { bytes, position } = part;
  const width = offsetWidth(part, hex);
  return ({ offset, end, depth, role, format, meaning, path, error }) => {
    const at = offset.toString(hex ? 16 : 10).padStart(width);
    const first = offset - position;
    const begin = Buffer.from(bytes.subarray(first, Math.min(end - position, first + SHOWN_BYTES))).toString("hex");
    const raw = begin.replace(/..(?=.)/g, "$& ") + (end - offset > SHOWN_BYTES ? " .." : "");
    const indent = "  ".repeat(depth);
    const start = `${pc.dim(at)}  ${raw.padEnd(BYTES_WIDTH)}  ${pc.dim(format.padEnd(FORMAT_WIDTH))}  ${indent}`;
    const [, type] = /^extension (\d+) /.exec(meaning) ?? [];
    const means = printable(meaning) + (type === undefined ? "" : extensionNote(Number(type)));
    if (error !== undefined)
      return start + pc.red(format === "broken" ? means : `${means}  ${printable(error.message)}`);
    if (role === "key") return `${start}${pc.cyan(`${means}:`)}`;
    return `${start}${coloured(format, means)}  ${pc.dim(printable(path))}`;
  };
}

function coloured(format: string, meaning: string): string {
  if (/struct|map|array|union|container|value/.test(format)) return pc.bold(meaning);
  if (/str|utf8|ascii|enumeration/.test(format)) return pc.green(meaning);
  return /int|float|var|[uif]\d/.test(format) ? pc.yellow(meaning) : pc.magenta(meaning);
}

/** Writes the table of sizes. Returns the error that ended the input. */
async function writeSizes(
  parts: AsyncIterable<Part>,
  output: Output,
  progress: Progress,
  options: InspectOptions,
): Promise<DecodeError | undefined> {
  const tree = new SizeTree(options.sequence);
  let failure: DecodeError | undefined;
  let items = 0;
  let total = 0;
  for await (const part of parts) {
    total = part.position + part.bytes.length;
    for (const item of part.items) {
      failure ??= item.error;
      if (item.format === "broken") break;
      if (item.format.startsWith("absent")) continue;
      tree.add(item);
      if (++items % BATCH > 0) continue;
      progress.update(item.offset);
    }
  }
  const all = tree.sorted();
  const rows = all.slice(0, options.limit ?? SHOWN_SIZES);
  if (options.json) {
    for (const row of rows) output.writeText(`${printableJson(JSON.stringify(row))}\n`);
    return failure;
  }
  const columns = ["bytes", "share", "count", "each"].map((name) => ({ title: name, numeric: true }));
  const cells = rows.map(({ path, size, count }) => [
    grouped(size),
    percent(size, total),
    grouped(count),
    grouped(Math.round(size / count)),
    path,
  ]);
  output.writeText(`${renderTable([...columns, { title: "path" }], cells)}\n`);
  if (rows.length < all.length) {
    output.writeText(
      pc.dim(`.. and ${grouped(all.length - rows.length)} smaller paths; use --limit ${all.length} to show all\n`),
    );
  }
  return failure;
}
