import { isDeepStrictEqual } from "node:util";
import { UnpackrStream } from "msgpackr";
import { interleaveTasks, type Task } from "../../measure/tasks.js";
import type { NumberColumn, NumberTable } from "../../report/numbers.js";
import { progress } from "../../report/progress.js";
import { spreadRow } from "../../report/spread-row.js";
import type { RunOptions } from "../../suite.js";
import { type Reader, readers, whole } from "./chunked-readers.js";
import { Chunks, timeChunks } from "./chunks.js";
import { growthTable, measureGrowth } from "./growth.js";
import { largeMessage } from "./messages.js";
import { type Part, runPart, slowness, type Times } from "./part.js";

/** Bytes of the message. */
const MESSAGE_BYTES = 1_600_000;

/** Chunk sizes with the processes and rounds that fit into a reasonable time: most for what bars look at. */
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

/** From here on msgpackr takes minutes: it begins with the message again at every chunk. */
const MSGPACKR_LEAST = 4096;
const MSGPACKR_CAP_MS = 150_000;
const MSGPACKR_CAP_QUICK_MS = 10_000;
/** In a quick run the message is shorter in chunks of 1 B: where rivals take seconds for it. */
const QUICK_BYTES = 200_000;

type Job =
  | { readonly kind: "race"; readonly size: string; readonly quick: boolean; readonly repetition: number }
  | { readonly kind: "once"; readonly size: number; readonly capMs: number }
  | { readonly kind: "growth"; readonly quick: boolean };

/** One run of msgpackr, perhaps given up. */
interface Once {
  readonly milliseconds: number;
  /** Of the message, what it had been given when it was given up; 1 when it came to the end. */
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
    // A round for each of the others', so that ratios are of one machine if not of one moment.
    times["1k"] = times["1k"]!.map((each) => ({ ...each, msgpackr: each.decode!.map(() => once.milliseconds) }));
    progress("stream: chunked, growth");
    const growth = await runPart<Times>("chunked", { kind: "growth", quick: options.quick } satisfies Job);
    return [timeTable(times, once), rivalTable(times), growthTable(growth)];
  },
  work(job) {
    const each = job as Job;
    if (each.kind === "race") return measureRace(each);
    return each.kind === "once" ? runOnce(each.size, each.capMs) : measureGrowth(each.quick);
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
  if (!isDeepStrictEqual(result, value)) throw new Error(`${reader.id} reads another value`);
  return { id: reader.id, run: () => timeChunks(bytes, chunkBytes, read) };
}

/** Gives msgpackr chunk after chunk until the time is up. */
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
  // The Transform gives its value in the turn of the last write, or the one after it.
  await new Promise((resolve) => setImmediate(resolve));
  if (!isDeepStrictEqual(result, value)) throw new Error("msgpackr reads another value");
  return { milliseconds, share: 1 };
}

function timeTable(times: Readonly<Record<string, readonly Times[]>>, once: Once): NumberTable {
  const seconds = (once.milliseconds / 1000).toFixed(0);
  return {
    id: "chunked",
    title: "One message of 1.6 MB in chunks",
    text:
      "Time as a multiple of our `decode` of the whole in the same round: smaller is better; with quartiles. Records with nested " +
      "values, English and Chinese text, and numbers. A new decoder for each message; ours without options share what they " +
      "learn. Each chunk is a copy in memory of its own time; making it is not counted. msgpackr reads the message from its " +
      `start again whenever a chunk has come: at 1 KB once, ${
        once.share === 1
          ? `${seconds} s`
          : `given up after ${seconds} s with ${(once.share * 100).toFixed(0)} % of the message read, so it takes longer than is shown`
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

/** Pairs of the same kind, where there is one. */
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
    title: "One message of 1.6 MB in chunks: against others",
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
