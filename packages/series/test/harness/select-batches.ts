/** The batches of a selection, row by row, beside the rows of each metric. */
import { isDeepStrictEqual } from "node:util";
import type { Aggregate, Selection, Series } from "../../src/api.ts";

/** Limits of a batch (`read/metric-rows.ts`). */
const MAX_ROWS = 16_384;
const MAX_METRICS = 4096;

/** The rows of a metric, by its id. */
type RowsById = Map<number, unknown[]>;

/** Reads a selection in batches. Throws if a batch is larger than its limits, or its metrics have several types or no order. */
export async function rowsOfBatches(series: Series, selection: Selection): Promise<RowsById> {
  const rows: RowsById = new Map();
  const { aggregate } = selection;
  const last = { float: -1, int64: -1 };
  for await (const batch of series.select(selection).batches()) {
    const { metrics, offsets, length } = batch;
    if (length > MAX_ROWS || metrics.length > MAX_METRICS || metrics.length === 0)
      throw new Error(`a batch of ${length} rows of ${metrics.length} metrics`);
    if (offsets.length !== metrics.length + 1 || offsets[0] !== 0 || offsets.at(-1) !== length)
      throw new Error(`offsets ${offsets[0]} to ${offsets.at(-1)} of ${length} rows`);
    metrics.forEach(({ id, type }, m) => {
      if (type !== metrics[0]!.type) throw new Error("a batch has both types");
      if (selection.metrics === undefined && (id < last[type] || (id === last[type] && m > 0)))
        throw new Error(`metric ${id} after ${last[type]}`);
      last[type] = id;
      const list = rows.get(id) ?? [];
      rows.set(id, list);
      for (let i = offsets[m]!; i < offsets[m + 1]!; i++) list.push(rowOf(batch, i, aggregate));
    });
  }
  return rows;
}

/** Any batch. */
interface AnyBatch {
  readonly timestamps?: Float64Array;
  readonly values?: Float64Array | BigInt64Array;
  readonly starts?: Float64Array;
  readonly columns?: { readonly [A in Aggregate]?: Float64Array | BigInt64Array };
  readonly nulls?: { readonly [A in Aggregate]?: Uint8Array };
  readonly empty?: Uint8Array;
}

function rowOf({ timestamps, values, starts, columns, nulls }: AnyBatch, i: number, names?: readonly Aggregate[]) {
  if (starts === undefined) return { timestamp: timestamps![i], value: values![i] };
  const row: { start: number } & { [A in Aggregate]?: number | bigint | null } = { start: starts[i]! };
  for (const name of names!) {
    const isNull = (nulls![name]![i >> 3]! & (1 << (i & 7))) !== 0;
    row[name] = isNull ? null : columns![name]![i]!;
  }
  return row;
}

/** Throws unless the batches of a selection have exactly the rows of a query of each metric, to the last bit. */
export async function compareBatches(series: Series, selection: Selection): Promise<number> {
  const rows = await rowsOfBatches(series, selection);
  const { name: _, tags: __, metrics: ___, ...rest } = selection;
  let count = 0;
  for await (const { metric } of series.select(selection)) {
    const expected: unknown[] = await series.query({ ...rest, metric } as Parameters<Series["query"]>[0]).toArray();
    const actual = rows.get(metric.id);
    rows.delete(metric.id);
    count += expected.length;
    if (actual === undefined) throw new Error(`metric ${metric.id} is in no batch`);
    for (let i = 0; i < Math.max(actual.length, expected.length); i++)
      if (!isDeepStrictEqual(actual[i], expected[i]))
        throw new Error(
          `row ${i} of metric ${metric.id} (${actual.length}, ${expected.length}): ${text(actual[i])} instead of ${text(expected[i])}`,
        );
  }
  if (rows.size > 0) throw new Error(`${rows.size} metrics that are not selected`);
  return count;
}

function text(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : Number.isNaN(value) ? "NaN" : value,
  );
}
