import { isDeepStrictEqual } from "node:util";
import { UnpackrStream } from "msgpackr";
import { interleaveTasks, type Task } from "../../measure/tasks.js";
import { progress } from "../../progress.js";
import type { NumberColumn, NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { RunOptions } from "../../suite.js";
import { type Reader, readers, whole } from "./chunked-readers.js";
import { Chunks, timeChunks } from "./chunks.js";
import { largeMessage } from "./messages.js";
import { type Part, runPart, slowness, type Times } from "./part.js";

/** Size of the message. */
const MESSAGE_BYTES = 1_600_000;

/** Chunk sizes, with processes and rounds for a reasonable time; most for sizes that have bars. */
const SIZES = [
  { id: "whole", title: "whole", bytes: Infinity, processes: 2, rounds: 11 },
  { id: "64k", title: "64 KB", bytes: 65_536, processes: 2, rounds: 11 },
  { id: "1k", title: "1 KB", bytes: 1024, processes: 3, rounds: 15 },
  { id: "16", title: "16 B", bytes: 16, processes: 2, rounds: 7 },
  { id: "1", title: "1 B", bytes: 1, processes: 1, rounds: 3 },
] as const;
type Size = (typeof SIZES)[number];
const COLUMNS: readonly NumberColumn[] = SIZES.map(({ id, title }) => ({ id, title }));
const SAMPLE_MS = 50;
const WARM_UP_MS = 800;

/** From this size on msgpackr takes minutes: it starts over at every chunk. */
const MSGPACKR_LEAST = 4096;
const MSGPACKR_CAP_MS = 150_000;
const MSGPACKR_CAP_QUICK_MS = 10_000;
/** In a quick run, the message is shorter for chunks of 1 B, for which rivals take seconds. */
const QUICK_BYTES = 200_000;

type Job =
  | { readonly kind: "race"; readonly size: string; readonly quick: boolean; readonly repetition: number }
  | { readonly kind: "once"; readonly size: number; readonly capMs: number };

/** One run of msgpackr, which may be aborted. */
interface Once {
  readonly milliseconds: number;
  /** Share of the message that it had received when it was aborted; 1 if it finished. */
  readonly share: number;
}

/** One large message in chunks of several sizes. */
export const chunked: Part = {
  id: "chunked",
  async run(options) {
    const times: Record<string, Times[]> = {};
    for (const size of SIZES) times[size.id] = await race(size, options);
    progress("stream: chunked, msgpackr at 1 KB");
    const capMs = options.quick ? MSGPACKR_CAP_QUICK_MS : MSGPACKR_CAP_MS;
    const once = await runPart<Once>("chunked", { kind: "once", size: 1024, capMs } satisfies Job);
    // One value for each round of the others: the ratios are from the same machine, but not from the same moment.
    times["1k"] = times["1k"]!.map((each) => ({ ...each, msgpackr: each.decode!.map(() => once.milliseconds) }));
    return [timeTable(times, once), rivalTable(times)];
  },
  work(job) {
    const each = job as Job;
    return each.kind === "race" ? measureRace(each) : runOnce(each.size, each.capMs);
  },
};

async function race({ id: size, processes: most }: Size, options: RunOptions): Promise<Times[]> {
  const { quick } = options;
  const processes = Math.min(most, options.processes);
  const times: Times[] = [];
  for (let repetition = 0; repetition < processes; repetition++) {
    progress(`stream: chunked, ${size}, ${repetition + 1} of ${processes}`);
    times.push(await runPart<Times>("chunked", { kind: "race", size, quick, repetition } satisfies Job));
  }
  return times;
}

async function measureRace({ size, quick, repetition }: Extract<Job, { kind: "race" }>): Promise<Times> {
  const message = largeMessage(quick && size === "1" ? QUICK_BYTES : MESSAGE_BYTES);
  const { bytes: chunkBytes, rounds } = SIZES.find(({ id }) => id === size)!;
  const racing = readers.filter(({ id }) => id !== "msgpackr" || chunkBytes >= MSGPACKR_LEAST);
  const tasks: Task[] = [];
  for (const reader of [whole, ...racing]) {
    const pieces = reader === whole ? message.bytes.length : Math.min(chunkBytes, message.bytes.length);
    tasks.push(await taskOf(reader, message, pieces));
  }
  const pace = quick
    ? { warmUpMs: WARM_UP_MS / 2, rounds: Math.ceil(rounds / 4), sampleMs: SAMPLE_MS / 2 }
    : { warmUpMs: WARM_UP_MS, rounds, sampleMs: SAMPLE_MS };
  return Object.fromEntries(await interleaveTasks(tasks, pace, repetition));
}

async function taskOf(
  reader: Reader,
  { value, bytes }: ReturnType<typeof largeMessage>,
  chunkBytes: number,
): Promise<Task> {
  const read = reader.create();
  const result = await read(new Chunks(bytes, chunkBytes));
  if (!isDeepStrictEqual(result, value)) throw new Error(`${reader.id} reads a different value`);
  return { id: reader.id, run: () => timeChunks(bytes, chunkBytes, read) };
}

/** Passes msgpackr chunk after chunk until the time is up. */
async function runOnce(size: number, capMs: number): Promise<Once> {
  const { value, bytes } = largeMessage(MESSAGE_BYTES);
  const chunks = new Chunks(bytes, size);
  const stream = new UnpackrStream({ useRecords: false });
  let result: unknown;
  stream.on("data", (each) => {
    result = each;
  });
  const start = performance.now();
  let given = 0;
  for (let group = chunks.next(); group.length > 0; group = chunks.next()) {
    for (const chunk of group) {
      await new Promise<void>((resolve, reject) => {
        stream.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      given += chunk.length;
      const milliseconds = performance.now() - start - chunks.cuttingMs;
      if (milliseconds > capMs) return { milliseconds, share: given / bytes.length };
    }
  }
  const milliseconds = performance.now() - start - chunks.cuttingMs;
  // The Transform emits its value in the turn of the last write, or in the next one.
  await new Promise((resolve) => setImmediate(resolve));
  if (!isDeepStrictEqual(result, value)) throw new Error("msgpackr reads a different value");
  return { milliseconds, share: 1 };
}

function timeTable(times: Readonly<Record<string, readonly Times[]>>, once: Once): NumberTable {
  const seconds = (once.milliseconds / 1000).toFixed(0);
  return {
    id: "chunked",
    title: "One message of 1.6 MB in chunks",
    text:
      "Time as a multiple of our `decode` of the whole message in the same round: smaller is better; with quartiles. Records with nested " +
      "values, English and Chinese text, and numbers. A new decoder for each message; our decoders without options share what they " +
      "learn. Each chunk is a fresh copy; the time for copying does not count. msgpackr reads the message from its " +
      `start again after each chunk: at 1 KB once, ${
        once.share === 1
          ? `${seconds} s`
          : `aborted after ${seconds} s with ${(once.share * 100).toFixed(0)} % of the message read, so it takes longer than shown`
      }; at 16 B and 1 B it was not run.`,
    unit: "ratio",
    columns: COLUMNS,
    rows: readers.map(({ id, title }) =>
      spreadRow(
        id,
        title,
        Object.fromEntries(SIZES.map(({ id: size }) => [size, slowness(times[size]!, id, whole.id)])),
      ),
    ),
  };
}

/** Pairs of the same kind, where they exist. */
const PAIRS = [
  ["stream-decoder", "msgpack-javascript", "`StreamDecoder` / @msgpack/msgpack"],
  ["decode-async", "msgpack-javascript", "`decodeAsync` / @msgpack/msgpack"],
  ["stream-decoder", "msgpackr", "`StreamDecoder` / msgpackr"],
  ["decode-async", "msgpackr", "`decodeAsync` / msgpackr"],
  ["node", "msgpackr", "`DecodeStream` of Node / msgpackr"],
] as const;

function rivalTable(times: Readonly<Record<string, readonly Times[]>>): NumberTable {
  return {
    id: "chunked-rivals",
    title: "One message of 1.6 MB in chunks: compared with others",
    text: "Our speed as a multiple of theirs: bigger is better; with quartiles.",
    unit: "ratio",
    columns: COLUMNS,
    rows: PAIRS.map(([ours, rival, title]) =>
      spreadRow(
        `${ours}/${rival}`,
        title,
        Object.fromEntries(SIZES.map(({ id: size }) => [size, slowness(times[size]!, rival, ours)])),
      ),
    ),
  };
}
