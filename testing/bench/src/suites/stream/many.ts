import { isDeepStrictEqual } from "node:util";
import { decodeMulti } from "@msgpack/msgpack";
import { type Summary, summarize } from "../../measure/statistics.js";
import { interleaveTasks, type Task } from "../../measure/tasks.js";
import { progress } from "../../progress.js";
import type { NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { Operation } from "../../types.js";
import { Chunks, timeChunks } from "./chunks.js";
import { decoderPairs, manyDecoders } from "./many-decoders.js";
import { encoderPairs, manyEncoders } from "./many-encoders.js";
import { messagesOf, smallValues } from "./messages.js";
import { type Part, runPart, slowness, type Times } from "./part.js";

const WORKLOAD = "service-100";
const CHUNK_BYTES = 65_536;
/** Messages of one run: about 2 MB. */
const MESSAGES = 20_000;
const PACE = { warmUpMs: 500, rounds: 11, sampleMs: 60 };
const QUICK_PACE = { warmUpMs: 300, rounds: 5, sampleMs: 40 };

interface Job {
  readonly operation: Operation;
  readonly quick: boolean;
  readonly repetition: number;
}

/** Many small messages in each chunk. */
export const many: Part = {
  id: "many",
  async run({ quick, processes, only }) {
    const tables: NumberTable[] = [];
    for (const operation of ["decode", "encode"] as const) {
      if ((only ?? operation) !== operation) continue;
      const times: Times[] = [];
      for (let repetition = 0; repetition < processes; repetition++) {
        progress(`stream: many, ${operation}, ${repetition + 1} of ${processes}`);
        times.push(await runPart<Times>("many", { operation, quick, repetition } satisfies Job));
      }
      tables.push(rateTable(operation, times), pairTable(operation, times));
    }
    return tables;
  },
  async work(job) {
    const { operation, quick, repetition } = job as Job;
    const tasks = operation === "decode" ? await decodeTasks() : await encodeTasks();
    return Object.fromEntries(await interleaveTasks(tasks, quick ? QUICK_PACE : PACE, repetition));
  },
};

async function decodeTasks(): Promise<Task[]> {
  const values = smallValues(WORKLOAD, MESSAGES);
  const bytes = messagesOf(values);
  const tasks: Task[] = [];
  for (const { id, read } of manyDecoders) {
    const got: unknown[] = [];
    await read(new Chunks(bytes, CHUNK_BYTES), (value) => got.push(value));
    if (!isDeepStrictEqual(got, values)) throw new Error(`${id} reads different values`);
    let last: unknown;
    const take = (value: unknown) => {
      last = value;
    };
    tasks.push({
      id,
      run: async () => {
        const time = await timeChunks(bytes, CHUNK_BYTES, (chunks) => read(chunks, take));
        if (last === undefined) throw new Error(`${id} returned nothing`);
        return time;
      },
    });
  }
  return tasks;
}

async function encodeTasks(): Promise<Task[]> {
  const values = smallValues(WORKLOAD, MESSAGES);
  const tasks: Task[] = [];
  for (const { id, write } of manyEncoders) {
    const got: Uint8Array[] = [];
    await write(values, (chunk) => got.push(chunk as Uint8Array));
    if (!isDeepStrictEqual([...decodeMulti(Buffer.concat(got))], values))
      throw new Error(`${id} writes different values`);
    let bytes = 0;
    const take = (chunk: unknown) => {
      bytes += (chunk as Uint8Array).length;
    };
    tasks.push({
      id,
      run: async () => {
        bytes = 0;
        const start = performance.now();
        await write(values, take);
        const time = performance.now() - start;
        if (bytes < MESSAGES) throw new Error(`${id} wrote too little`);
        return time;
      },
    });
  }
  return tasks;
}

/** Thousands of values per second. */
function rates(times: readonly Times[], id: string): Summary {
  return summarize(times.map((each) => each[id]!.map((milliseconds) => MESSAGES / milliseconds)));
}

const RATE_TEXTS: Record<Operation, string> = {
  decode: "20,000 messages of a few kinds, of about 100 B in chunks of 64 KB, each run with a new decoder.",
  encode:
    "20,000 messages of a few kinds, of about 100 B, each run with a new encoder. msgpackr with `useRecords: false`, since only that is " +
    "standard MessagePack; it emits a chunk for each message, while ours combine messages.",
};

function rateTable(operation: Operation, times: readonly Times[]): NumberTable {
  return {
    id: `many-${operation}`,
    title: `Many small messages: ${operation}`,
    text: `${RATE_TEXTS[operation]} Thousands of values per second: bigger is better; with quartiles.`,
    unit: "count",
    columns: [{ id: "rate", title: "1,000 values/s" }],
    rows: (operation === "decode" ? manyDecoders : manyEncoders).map(({ id, title }) =>
      spreadRow(id, title, { rate: rates(times, id) }),
    ),
  };
}

function pairTable(operation: Operation, times: readonly Times[]): NumberTable {
  return {
    id: `many-${operation}-pairs`,
    title: `Many small messages: ${operation}, pairs of the same kind`,
    text: "Our speed as a multiple of theirs in the same round: bigger is better; with quartiles.",
    unit: "ratio",
    columns: [{ id: "speed", title: "speed" }],
    rows: (operation === "decode" ? decoderPairs : encoderPairs).map(([ours, rival, title]) =>
      spreadRow(`${ours}/${rival}`, title, { speed: slowness(times, rival, ours) }),
    ),
  };
}
