import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { Decoder, decode, Encoder } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import pc from "picocolors";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError, UsageError } from "../shared/failure.js";
import { formatOf } from "../shared/formats.js";
import { readWhole } from "../shared/input.js";
import { measure } from "../shared/measure.js";
import { userFolder, userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { loadBars, Progress } from "../shared/progress.js";
import { grouped, renderTable } from "../shared/table.js";

/** One library under test. */
interface Codec {
  readonly name: string;
  encode(value: unknown): Uint8Array | string;
  decode(encoded: Uint8Array | string): unknown;
}

interface Row {
  readonly codec: Codec;
  readonly bytes: number;
  /** Why this library is not timed; empty if it is. */
  readonly refused: string;
}

/** The libraries to look for, and how to call each. Those that are not installed are skipped. */
const RIVALS: readonly {
  readonly name: string;
  /** The module to import, if it is not the package's main one. */
  readonly module?: string;
  use(module: Record<string, unknown>): Pick<Codec, "encode" | "decode">;
}[] = [
  { name: "msgpackr", use: (module) => instance(module.Packr, { useRecords: false }) },
  {
    name: "@jsonjoy.com/json-pack",
    module: "@jsonjoy.com/json-pack/lib/msgpack/index.js",
    use(module) {
      const encoder = instance(module.MsgPackEncoderFast);
      const decoder = instance(module.MsgPackDecoderFast);
      return { encode: encoder.encode, decode: decoder.decode };
    },
  },
  { name: "@msgpack/msgpack", use: (module) => functions(module) },
  { name: "notepack.io", use: (module) => functions(module) },
  { name: "cbor-x", use: (module) => instance(module.Encoder, { useRecords: false }) },
];

/** Adds `moonpack bench` to the program. */
export function addBench(program: Command): void {
  program
    .command("bench")
    .description(
      "Encodes and decodes the data of one file with moonpack, with JSON, and with the libraries " +
        `${RIVALS.map(({ name }) => name).join(", ")} that are installed in your project. Each library must first ` +
        "read its own output back as an equal value; one that fails this is named and not timed.",
    )
    .argument("<file>", "a .json file, or a MessagePack file with any other name")
    .option("--rounds <n>", "number of rounds; the median is shown", readRounds, 15)
    .addHelpText("after", HELP)
    .action(async (file: string, options: { readonly rounds: number }) => {
      await bench(userPath(file), options.rounds);
    });
}

const HELP = `
The libraries take turns in one process, in a rotating order. MB/s is megabytes
per second. It counts the same number of bytes for every library: the size of
the data as compact JSON, or as MessagePack if JSON cannot hold the data. The
file must fit in memory.

Exit codes: 0 done; 1 bad data, or data that moonpack does not read back equal;
2 bad usage.

Examples:
  moonpack bench data.json
  npm install msgpackr && moonpack bench data.msgpack
`;

function readRounds(text: string): number {
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000) return rounds;
  throw new UsageError(`--rounds must be a whole number from 1 to 1000, not ${text}`);
}

async function bench(file: string, rounds: number): Promise<void> {
  const value = await load(file);
  const rows = (await codecs()).map((codec) => check(codec, value));
  const json = rows.find(({ codec, refused }) => codec.name === "JSON" && refused === "");
  const own = rows.find(({ codec }) => codec.name === "moonpack")!;
  const basis = json?.bytes ?? own.bytes;
  const timed = rows.filter(({ refused }) => refused === "");
  const encoded = timed.map(({ codec }) => codec.encode(value));
  await loadBars();
  const progress = new Progress("timing", rounds, "rounds");
  const times = measure(
    [
      ...timed.map(
        ({ codec }) =>
          () =>
            codec.encode(value),
      ),
      ...timed.map(
        ({ codec }, index) =>
          () =>
            codec.decode(encoded[index]!),
      ),
    ],
    rounds,
    (done) => progress.update(done),
  );
  progress.stop();
  const ratio = (time: number, first: number): string => `${(first / time).toFixed(2)}x`;
  const lines = timed.map(({ codec, bytes }, index) => {
    const [encodeTime, decodeTime] = [times[index]!, times[index + timed.length]!];
    const cells = [
      codec.name,
      grouped(bytes),
      grouped(Math.round(basis / 1000 / encodeTime)),
      ratio(encodeTime, times[0]!),
      grouped(Math.round(basis / 1000 / decodeTime)),
      ratio(decodeTime, times[timed.length]!),
    ];
    return codec.name === "moonpack" ? cells.map((text) => ({ text, colour: pc.bold })) : cells;
  });
  const columns = ["library", "bytes", "encode MB/s", "vs moonpack", "decode MB/s", "vs moonpack"];
  process.stdout.write(
    `${renderTable(
      columns.map((title, index) => ({ title, numeric: index > 0 })),
      lines,
    )}\n`,
  );
  for (const { codec, refused } of rows)
    if (refused !== "") process.stdout.write(`\n${codec.name} is not timed: ${printable(refused)}`);
  process.stdout.write(`\nmedian of ${rounds} rounds; every value was first read back and compared\n`);
  if (own.refused !== "") throw new DataError(file, `moonpack is not timed: ${own.refused}`, undefined);
}

async function load(file: string): Promise<unknown> {
  const format = formatOf(file);
  const isText = format === "json";
  if (format === "ndjson" || format === "pck")
    throw new UsageError("bench needs a file with one value: JSON or MessagePack");
  const bytes = await readWhole(file);
  try {
    return isText ? parseWholeJson(bytes) : decode(bytes, { unknownExtensions: "keep" });
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    const found = await DataError.of(file, isText, error);
    throw format === undefined
      ? new DataError("", `${found.message}; a file without .json in its name is read as MessagePack`, error)
      : found;
  }
}

async function codecs(): Promise<Codec[]> {
  const encoder = new Encoder();
  const decoder = new Decoder({ unknownExtensions: "keep" });
  const found: Codec[] = [
    {
      name: "moonpack",
      encode: (value) => encoder.encode(value),
      decode: (bytes) => decoder.decode(bytes as Uint8Array),
    },
    { name: "JSON", encode: (value) => JSON.stringify(value), decode: (text) => JSON.parse(text as string) },
  ];
  for (const { name, module: path, use } of RIVALS) {
    const module = await importFrom(path ?? name);
    if (module !== undefined) found.push({ name, ...use(module) });
  }
  return found;
}

/** Imports a library from the user's folder, else from the CLI's own; undefined when it is in neither. */
async function importFrom(name: string): Promise<Record<string, unknown> | undefined> {
  for (const place of [pathToFileURL(join(userFolder(), "bench.js")), import.meta.url]) {
    try {
      return await import(pathToFileURL(createRequire(place).resolve(name)).href);
    } catch {
      // Not installed, or not able to run here: skip it in both cases.
    }
  }
  return undefined;
}

function check(codec: Codec, value: unknown): Row {
  try {
    const encoded = codec.encode(value);
    const bytes = typeof encoded === "string" ? Buffer.byteLength(encoded) : encoded.length;
    const refused = isDeepStrictEqual(codec.decode(encoded), value) ? "" : "the value that it reads back is different";
    return { codec, bytes, refused };
  } catch (error) {
    return { codec, bytes: 0, refused: error instanceof Error ? error.message : String(error) };
  }
}

type Functions = Pick<Codec, "encode" | "decode">;

function functions(module: Record<string, unknown>): Functions {
  const source = (typeof module.encode === "function" ? module : module.default) as Functions;
  return { encode: (value) => source.encode(value), decode: (bytes) => source.decode(bytes) };
}

function instance(codec: unknown, ...options: object[]): Functions {
  return functions({ default: new (codec as new (...options: object[]) => Functions)(...options) });
}
