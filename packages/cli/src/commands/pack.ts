import { mkdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { Decoder, decode, Encoder, encode } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import pc from "picocolors";
import { parseWholeJson } from "../convert/wholeJson.js";
import { DataError, describeError, Failure, fileError, UsageError } from "../shared/failure.js";
import { readWhole } from "../shared/input.js";
import { measure } from "../shared/measure.js";
import { Output } from "../shared/output.js";
import { userFolder, userPath } from "../shared/paths.js";
import { Progress } from "../shared/progress.js";
import { type Column, grouped, percent, renderTable, shortName, speed } from "../shared/table.js";

/** What came of one file. */
interface Packed {
  readonly name: string;
  readonly jsonBytes: number;
  readonly packedBytes: number;
  /** Milliseconds: moonpack encode, JSON.stringify, moonpack decode, JSON.parse. */
  readonly times: readonly number[];
  readonly equal: boolean;
}

/** Files above this size are timed with fewer rounds: their one run is long enough. */
const LARGE = 20e6;

/** Adds `moonpack pack` to the program. */
export function addPack(program: Command): void {
  program
    .command("pack")
    .summary("pack JSON files, prove that they read back equal, and time it")
    .description(
      "Packs each JSON file to FOLDER/NAME.msgpack, reads the file back, proves that nothing changed, and prints a table: " +
        "sizes, and the speed of encode and decode beside JSON.stringify and JSON.parse on the same values.",
    )
    .argument("<files...>", "JSON files")
    .option("-o, --out <folder>", "where the packed files go; made when missing", "out")
    .addHelpText("after", HELP)
    .action(async (files: string[], options: { readonly out: string }) => {
      await pack(files.map(userPath), userPath(options.out));
    });
}

const HELP = `
MB/s are megabytes of the JSON text in a second, so the columns compare. Each
file has to fit in memory.

Exit codes: 0 every file is equal; 1 a file is not, is no JSON, or cannot be
read or written; 2 bad usage.

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
  if (results.length > 0) process.stdout.write(`${table(results)}\n\n${summary(results, folder)}\n`);
  const different = results.filter(({ equal }) => !equal).map(({ name }) => `${name}: what was read back is different`);
  if (failures.length + different.length > 0) throw new Failure([...failures, ...different].join("\nmoonpack: "));
}

/** Two files of one name would overwrite each other's result. */
function uniqueTargets(files: readonly string[], folder: string): Map<string, string> {
  const sources = new Map<string, string>();
  const targets = new Map<string, string>();
  for (const file of files) {
    const target = join(folder, `${basename(file).replace(/\.json$/i, "")}.msgpack`);
    const other = sources.get(target);
    if (other !== undefined && other !== file)
      throw new UsageError(`${other} and ${file} would both become ${target}: use two folders`);
    sources.set(target, file);
    targets.set(file, target);
  }
  return targets;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw fileError("make the folder", folder, error);
  }
}

async function packOne(file: string, target: string): Promise<Packed> {
  const text = await readWhole(file);
  try {
    const value = parseWholeJson(text);
    const output = Output.open(target);
    output.write(encode(value));
    await output.finish();
    const packed = await readWhole(target);
    const equal = isDeepStrictEqual(decode(packed), value);
    const name = relative(userFolder(), file) || file;
    return { name, jsonBytes: text.length, packedBytes: packed.length, equal, times: times(text, packed) };
  } catch (error) {
    throw error instanceof MoonpackError ? await DataError.of(file, true, error) : error;
  }
}

/** Both sides work on what JSON.parse makes of the text, since JSON.stringify can work on nothing else. */
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
      equal ? pc.green("equal") : pc.red("DIFFERENT"),
    ]),
  );
}

function summary(results: readonly Packed[], folder: string): string {
  const count = results.length === 1 ? "1 file" : `${results.length} files`;
  const json = results.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
  const packed = results.reduce((sum, { packedBytes }) => sum + packedBytes, 0);
  const where = relative(userFolder(), folder) || ".";
  return `${count} packed into ${where}: ${grouped(json)} bytes of JSON became ${grouped(packed)} (${percent(packed, json)}).`;
}
