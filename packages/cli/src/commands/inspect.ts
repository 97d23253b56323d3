import type { Command } from "commander";
import { type Diagnosis, diagnose } from "moonpack";
import type { DecodeError } from "moonpack/bytes";
import pc from "picocolors";
import { badInput, DataError, UsageError } from "../shared/failure.js";
import { formatOf } from "../shared/formats.js";
import { readWhole } from "../shared/input.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { Progress } from "../shared/progress.js";
import { SizeTree } from "../shared/sizes.js";
import { grouped, percent, renderTable } from "../shared/table.js";

/** Options of `moonpack inspect`, as the command line gives them. */
interface InspectOptions {
  readonly json: boolean;
  readonly sizes: boolean;
  readonly sequence: boolean;
  readonly hex: boolean;
  readonly limit?: number;
}

const SHOWN_BYTES = 8;
const SHOWN_SIZES = 40;
/** Entries between two looks at the clock and at a slow reader. */
const BATCH = 1000;

/** Adds `moonpack inspect` to the program. */
export function addInspect(program: Command): void {
  program
    .command("inspect")
    .summary("show what a MessagePack file holds, byte by byte, or what takes its space")
    .description(
      "Shows every item of a MessagePack file: offset, bytes, format, meaning, path. A broken file is shown up to the " +
        "break, then the error. With --sizes: how many bytes each key takes, all elements of an array together.",
    )
    .argument("[file]", "MessagePack file; - or nothing: standard input", "-")
    .option("--json", "one JSON object a line, for programs", false)
    .option("--sizes", "sizes by key path, the largest first; those of a container include what it holds", false)
    .option("--sequence", "the file is a sequence of messages, one after another", false)
    .option("--limit <n>", `stop after so many lines (default: no limit; with --sizes ${SHOWN_SIZES})`, readLimit)
    .option("-x, --hex", "offsets in hexadecimal", false)
    .addHelpText("after", HELP)
    .action(async (file: string, options: InspectOptions, command: Command) => {
      if (command.args.length === 0 && process.stdin.isTTY)
        throw new UsageError("inspect needs a file, or MessagePack by a pipe: moonpack inspect data.msgpack");
      if (formatOf(file) === "json" || formatOf(file) === "ndjson") {
        throw new UsageError(
          `inspect reads MessagePack, and ${file} is JSON by its name: moonpack convert ${file} | moonpack inspect`,
        );
      }
      await inspect(file === "-" ? "-" : userPath(file), options);
    });
}

const HELP = `
The file is held in memory, the dump is not.

Exit codes: 0 done; 1 broken data (after the dump), or a file that cannot be
read; 2 bad usage.

Examples:
  moonpack inspect data.msgpack
  moonpack inspect data.msgpack --sizes
  moonpack inspect data.msgpack --json | grep '"path":"$.users'
  curl -s https://api.example.com/rows | moonpack inspect --limit 50
`;

function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new UsageError(`--limit needs a whole number from 1 on, not ${text}`);
}

async function inspect(file: string, options: InspectOptions): Promise<void> {
  const bytes = await readWhole(file);
  if (bytes.length === 0 && !options.sequence)
    throw await DataError.of(file, false, badInput("ERR_TRUNCATED", "the input is empty", 0, 1));
  const output = Output.open("-");
  const failure = await (options.sizes ? writeSizes : writeDump)(bytes, output, options);
  await output.finish();
  if (failure === undefined) return;
  const hint =
    failure.code === "ERR_TRAILING_BYTES" && !options.sequence ? "; --sequence shows them as further messages" : "";
  const error = await DataError.of(file, false, failure);
  throw hint === "" ? error : new DataError("", error.message + hint, failure);
}

/** Writes the dump. Returns the first error that was found in it. */
async function writeDump(bytes: Uint8Array, output: Output, options: InspectOptions): Promise<DecodeError | undefined> {
  const line = options.json ? jsonLine : dumpLine(bytes, options.hex);
  if (!options.json) output.writeText(pc.dim(`${title(bytes, options.hex)}\n`));
  const progress = new Progress("inspecting", bytes.length);
  let failure: DecodeError | undefined;
  let lines = 0;
  for (const item of diagnose(bytes, { sequence: options.sequence })) {
    if (lines === options.limit) {
      if (!options.json)
        output.writeText(pc.dim(`.. stopped after ${lines} lines, at byte ${item.offset} of ${bytes.length}\n`));
      break;
    }
    output.writeText(`${line(item)}\n`);
    failure ??= item.error;
    if (++lines % BATCH > 0) continue;
    await output.drain();
    if (!process.stdout.isTTY) progress.update(item.offset);
  }
  progress.stop();
  return failure;
}

function jsonLine({ error, ...item }: Diagnosis): string {
  return JSON.stringify(error === undefined ? item : { ...item, error: { code: error.code, message: error.message } });
}

const BYTES_WIDTH = SHOWN_BYTES * 3 + 2;
const FORMAT_WIDTH = 15;

function title(bytes: Uint8Array, hex: boolean): string {
  return `${"offset".padStart(offsetWidth(bytes, hex))}  ${"bytes".padEnd(BYTES_WIDTH)}  ${"format".padEnd(FORMAT_WIDTH)}  meaning  path`;
}

function offsetWidth(bytes: Uint8Array, hex: boolean): number {
  return Math.max(6, bytes.length.toString(hex ? 16 : 10).length);
}

function dumpLine(bytes: Uint8Array, hex: boolean): (item: Diagnosis) => string {
  const width = offsetWidth(bytes, hex);
  return ({ offset, end, depth, role, format, meaning, path, error }) => {
    const at = offset.toString(hex ? 16 : 10).padStart(width);
    const shown = Buffer.from(bytes.subarray(offset, Math.min(end, offset + SHOWN_BYTES))).toString("hex");
    const raw = shown.replace(/..(?=.)/g, "$& ") + (end - offset > SHOWN_BYTES ? " .." : "");
    const indent = "  ".repeat(depth);
    const start = `${pc.dim(at)}  ${raw.padEnd(BYTES_WIDTH)}  ${pc.dim(format.padEnd(FORMAT_WIDTH))}  ${indent}`;
    if (error !== undefined) return start + pc.red(format === "broken" ? meaning : `${meaning}  ${error.message}`);
    if (role === "key") return `${start}${pc.cyan(`${meaning}:`)}`;
    return `${start}${coloured(format, meaning)}  ${pc.dim(path)}`;
  };
}

function coloured(format: string, meaning: string): string {
  if (/str/.test(format)) return pc.green(meaning);
  if (/map|array/.test(format)) return pc.bold(meaning);
  return /int|float/.test(format) ? pc.yellow(meaning) : pc.magenta(meaning);
}

/** Writes the table of sizes. Returns the error that ended it. */
async function writeSizes(
  bytes: Uint8Array,
  output: Output,
  options: InspectOptions,
): Promise<DecodeError | undefined> {
  const progress = new Progress("inspecting", bytes.length);
  const tree = new SizeTree(options.sequence);
  let failure: DecodeError | undefined;
  let items = 0;
  for (const item of diagnose(bytes, { sequence: options.sequence })) {
    failure ??= item.error;
    if (item.format === "broken") break;
    tree.add(item);
    if (++items % BATCH > 0) continue;
    // The walk is synchronous: without a pause now and then no signal would be seen.
    await new Promise(setImmediate);
    progress.update(item.offset);
  }
  progress.stop();
  const all = tree.sorted();
  const rows = all.slice(0, options.limit ?? SHOWN_SIZES);
  if (options.json) {
    for (const row of rows) output.writeText(`${JSON.stringify(row)}\n`);
    return failure;
  }
  const columns = ["bytes", "share", "count", "each"].map((name) => ({ title: name, numeric: true }));
  const cells = rows.map(({ path, size, count }) => [
    grouped(size),
    percent(size, bytes.length),
    grouped(count),
    grouped(Math.round(size / count)),
    path,
  ]);
  output.writeText(`${renderTable([...columns, { title: "path" }], cells)}\n`);
  if (rows.length < all.length) {
    output.writeText(
      pc.dim(`.. and ${grouped(all.length - rows.length)} smaller paths: --limit ${all.length} shows all\n`),
    );
  }
  return failure;
}
