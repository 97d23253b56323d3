/** Compares two stores: all metrics with their ids, and all points. */
import { crc32 } from "node:zlib";
import type { Points, Selected, Series } from "../api.js";
import { SeriesError } from "../errors.js";

/** Reads both stores completely. Throws `ERR_SERIES_STORE` at the first difference. Returns the number of metrics and points. */
export async function compareStores(
  source: Series,
  copy: Series,
  signal: AbortSignal | undefined,
  compared: (metrics: number, points: number) => void,
): Promise<{ metrics: number; points: number }> {
  const selection = { ...(signal && { signal }) };
  const copies = copy.select(selection)[Symbol.asyncIterator]() as AsyncIterator<Selected<Points>>;
  let metrics = 0;
  let points = 0;
  try {
    for await (const one of source.select(selection)) {
      const [a, b] = [await contentOf(one), await contentOf((await copies.next()).value)];
      if (a.text !== b.text) throw differs(one.metric.name, a.text, b.text);
      metrics++;
      points += a.points;
      compared(metrics, points);
    }
    const more = (await copies.next()).value as Selected<Points> | undefined;
    if (more !== undefined) throw differs(more.metric.name, "nothing", (await contentOf(more)).text);
  } finally {
    await copies.return?.();
  }
  return { metrics, points };
}

/** A metric and its points as a text that differs if these do. */
async function contentOf(one: Selected<Points> | undefined): Promise<{ text: string; points: number }> {
  if (one === undefined) return { text: "nothing", points: 0 };
  const { id, name, tags, type } = one.metric;
  let points = 0;
  let times = 0;
  let all = 0;
  for await (const { length, timestamps, values } of one.points.batches()) {
    points += length;
    times = crc32(bytesOf(timestamps, length), times);
    all = crc32(bytesOf(values, length), all);
  }
  return { text: JSON.stringify([id, name, Object.entries(tags).sort(), type, points, times, all]), points };
}

function bytesOf(values: Float64Array | BigInt64Array, length: number): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, 8 * length);
}

function differs(name: string, source: string, copy: string): SeriesError {
  return new SeriesError(
    "ERR_SERIES_STORE",
    `the copy of ${name} differs, so the store changed during the migration, or the copy is damaged: delete the new folder and migrate again (${source}, ${copy})`,
  );
}
