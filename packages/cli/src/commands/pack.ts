import { basename, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { Decoder, decode, Encoder, encode } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import pc from "picocolors";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError, describeError, Failure, Failures, UsageError } from "../shared/failure.js";
import { makeFolder } from "../shared/folders.js";
import { readWhole } from "../shared/input.js";
import { measure } from "../shared/measure.js";
import { summarize } from "../shared/messages.js";
import { Output } from "../shared/output.js";
import { userFolder, userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { Progress } from "../shared/progress.js";
import { type Column, grouped, percent, renderTable, shortName, speed } from "../shared/table.js";

/** The result for one file. */
interface Packed {
  readonly name: string;
  readonly jsonBytes: number;
  readonly packedBytes: number;
  /** Milliseconds: moonpack encode, JSON.stringify, moonpack decode, JSON.parse. */
  readonly times: readonly number[];
  readonly equal: boolean;
}

/** Files above this size are timed with fewer rounds: a single run is long enough. */
const LARGE = 20e6;

/** Adds `moonpack pack` to the program. */
export function addPack(program: Command): void {
  program
    .command("pack")
    .description(
      "Packs each JSON file to FOLDER/NAME.msgpack, reads it back, checks that nothing changed, and prints a table: " +
        "sizes, and the speed of encode and decode next to JSON.stringify and JSON.parse on the same values.",
    )
    .argument("<files...>", "JSON files")
    .option("-o, --out <folder>", "output folder; created if it is missing", "out")
    .addHelpText("after", HELP)
    .action(async (files: string[], options: { readonly out: string }) => {
      await pack(files.map(userPath), userPath(options.out));
    });
}

const HELP = `
MB/s is megabytes of JSON text per second in every column. Each file must fit in
memory.

Exit codes: 0 every file reads back equal; 1 a file does not, is not valid JSON,
or cannot be read or written; 2 bad usage.

Examples:
  moonpack pack data.json
  moonpack pack data/*.json --out packed
`;

async function pack(files: readonly string[], folder: string): Promise<void> {
  const targets = uniqueTargets(files, folder);
  makeFolder(folder);
  const results: Packed[] = [];
  const failures: string[] = [];
  const progress = new Progress("packing", targets.size, "files");
  for (const [file, target] of targets) {
    progress.update(results.length + failures.length);
    try {
      results.push(await packOne(file, target));
    } catch (error) {
      if (!(error instanceof DataError || error instanceof Failure)) throw error;
      failures.push(describeError(error));
    }
  }
  progress.stop();
  if (results.length > 0) summarize(`${table(results)}\n\n${summary(results, folder)}\n`);
  const different = results
    .filter(({ equal }) => !equal)
    .map(({ name }) => `${name}: the value that was read back is different`);
  if (failures.length + different.length > 0) throw new Failures([...failures, ...different]);
}

/** Throws when two inputs have the same name, since one output would overwrite the other. */
function uniqueTargets(files: readonly string[], folder: string): Map<string, string> {
  const sources = new Map<string, string>();
  const targets = new Map<string, string>();
  for (const file of files) {
    const target = join(folder, `${basename(file).replace(/\.json$/i, "")}.msgpack`);
    const other = sources.get(target);
    if (other !== undefined && other !== file)
      throw new UsageError(`${other} and ${file} would both be written to ${target}: pack them into two folders`);
    sources.set(target, file);
    targets.set(file, target);
  }
  return targets;
}

async function packOne(file: string, target: string): Promise<Packed> {
  const text = await readWhole(file);
  try {
    const value = parseWholeJson(text);
    await writeFile(target, encode(value));
    const packed = await readWhole(target);
    const equal = isDeepStrictEqual(decode(packed), value);
    const name = relative(userFolder(), file) || file;
    return { name, jsonBytes: text.length, packedBytes: packed.length, equal, times: times(text, packed) };
  } catch (error) {
    throw error instanceof MoonpackError ? await DataError.of(file, true, error) : error;
  }
}

async function writeFile(target: string, bytes: Uint8Array): Promise<void> {
  const output = Output.open(target);
  try {
    output.write(bytes);
    await output.finish();
  } catch (error) {
    output.discard();
    throw error;
  }
}

/** Both sides work on the value that JSON.parse returns: JSON.stringify supports nothing else. */
function times(text: Uint8Array, packed: Uint8Array): number[] {
  const json = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const value: unknown = JSON.parse(json);
  const encoder = new Encoder();
  const decoder = new Decoder();
  return measure(
    [() => encoder.encode(value), () => JSON.stringify(value), () => decoder.decode(packed), () => JSON.parse(json)],
    text.length > LARGE ? 3 : undefined,
  );
}

const COLUMNS: readonly Column[] = [
  { title: "file" },
  { title: "JSON bytes", numeric: true },
  { title: "packed", numeric: true },
  { title: "of JSON", numeric: true },
  { title: "encode\nMB/s", numeric: true },
  { title: "JSON\nstringify", numeric: true },
  { title: "decode\nMB/s", numeric: true },
  { title: "JSON\nparse", numeric: true },
  { title: "read back" },
];

function table(results: readonly Packed[]): string {
  return renderTable(
    COLUMNS,
    results.map(({ name, jsonBytes, packedBytes, times, equal }) => [
      shortName(name, 30),
      grouped(jsonBytes),
      grouped(packedBytes),
      percent(packedBytes, jsonBytes),
      ...times.map((time) => speed(jsonBytes, time)),
      equal ? { text: "equal", colour: pc.green } : { text: "DIFFERENT", colour: pc.red },
    ]),
  );
}

function summary(results: readonly Packed[], folder: string): string {
  const count = results.length === 1 ? "1 file" : `${results.length} files`;
  const json = results.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
  const packed = results.reduce((sum, { packedBytes }) => sum + packedBytes, 0);
  const where = relative(userFolder(), folder) || ".";
  return `${count} packed into ${printable(where)}: ${grouped(json)} bytes of JSON became ${grouped(packed)} (${percent(packed, json)}).`;
}
