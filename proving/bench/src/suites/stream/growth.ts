import { linearRegression } from "simple-statistics";
import { summarize } from "../../measure/statistics.js";
import { interleaveTasks, type Task } from "../../measure/tasks.js";
import type { NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import { readers } from "./chunked-readers.js";
import { timeChunks } from "./chunks.js";
import { largeMessage } from "./messages.js";
import type { Times } from "./part.js";

const MESSAGE_SIZES = [100_000, 200_000, 400_000, 800_000, 1_600_000];
const CHUNK_SIZES = [16, 1];
/** With chunks of 1 B, a round takes 12 seconds. */
const SLOW_AT_ONE = "msgpack-javascript";
const READERS = ["stream-decoder", "decode-async", "msgpack-javascript"];

/** Times for messages of growing sizes in small chunks, named `reader chunk message`. */
export async function measureGrowth(quick: boolean): Promise<Times> {
  const times: Record<string, readonly number[]> = {};
  const messages = MESSAGE_SIZES.map((size) => ({ size, bytes: largeMessage(size).bytes }));
  for (const chunk of CHUNK_SIZES) {
    const tasks: Task[] = READERS.filter((id) => chunk > 1 || id !== SLOW_AT_ONE).flatMap((id) => {
      const read = readers.find((reader) => reader.id === id)!.create();
      return messages.map(({ size, bytes }) => ({
        id: `${id} ${chunk} ${size}`,
        run: () => timeChunks(bytes, chunk, read),
      }));
    });
    const rounds = quick ? 3 : chunk === 1 ? 5 : 9;
    const measured = await interleaveTasks(tasks, { warmUpMs: quick ? 150 : 300, rounds, sampleMs: quick ? 10 : 40 });
    for (const [id, rounds] of measured) times[id] = rounds;
  }
  return times;
}

/** The exponents of time as a function of size. */
export function growthTable(times: Times): NumberTable {
  return {
    id: "growth",
    title: "Growth of time with size",
    text:
      "The exponent of time as a function of size, from 0.1 MB to 1.6 MB: 1 is linear, 2 quadratic. It is the slope of a line through the " +
      "logarithms, for each round; with quartiles.",
    unit: "ratio",
    columns: CHUNK_SIZES.map((chunk) => ({ id: String(chunk), title: `chunks of ${chunk} B` })),
    rows: READERS.map((id) =>
      spreadRow(
        id,
        readers.find((reader) => reader.id === id)!.title,
        Object.fromEntries(CHUNK_SIZES.map((chunk) => [String(chunk), exponents(times, id, chunk)])),
      ),
    ),
  };
}

function exponents(times: Times, id: string, chunk: number) {
  const series = MESSAGE_SIZES.map((size) => ({ size, rounds: times[`${id} ${chunk} ${size}`] }));
  const rounds = series[0]!.rounds;
  if (rounds === undefined) return undefined;
  const slopes = rounds.map((_, round) => {
    const points = series.map(({ size, rounds: each }) => [Math.log(size), Math.log(each![round]!)]);
    return linearRegression(points).m;
  });
  return summarize([slopes]);
}
