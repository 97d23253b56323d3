/** Evaluates queries over series in memory, and compares results. */
import {
  evaluate,
  type Labels,
  type LabelsObject,
  parseQuery,
  type QueryResult,
  resultRows,
} from "@moonpack/prometheus";
import { MemorySource } from "./memory-source.ts";
import { seriesOf } from "./promqltest-values.ts";

/** Returns a source with series in the form of Prometheus' test scripts, `gap` milliseconds apart from time 0 on. */
export function loaded(gap: number, text: string): MemorySource {
  const source = new MemorySource();
  for (const line of text.trim().split("\n")) {
    const { labels, points } = seriesOf(line.trim());
    source.add(labels, 0, gap, points as number[]);
  }
  return source;
}

/** The times of a query in milliseconds. */
export interface Times {
  readonly start: number;
  readonly end?: number;
  readonly step?: number;
}

/** Evaluates a query. */
export function run(source: MemorySource, query: string, times: Times): Promise<QueryResult> {
  return evaluate(parseQuery(query), { query, source, ...times });
}

/** Evaluates an instant query. Returns its rows: labels in Prometheus' form, and values; or the number. */
export async function at(source: MemorySource, query: string, start: number): Promise<unknown> {
  const { value } = await run(source, query, { start });
  if (value.resultType === "vector") return value.labels.map((labels, i) => [shown(labels), value.values[i]!]);
  return resultRows(value);
}

/** Labels in Prometheus' short form: `up{job="api"}`. */
export function shown(labels: Labels): string {
  const name = labels.get("__name__");
  const rest = String(labels.without("__name__"));
  return name !== "" && rest === "{}" ? name : `${name}${rest}`;
}

/** Returns the code of the error of a query; undefined without one. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: { readonly code?: string }) => error.code ?? String(error),
  );
}

/** True if two numbers are equal apart from the last digits. */
export function isClose(a: number, b: number, tolerance = 1e-9): boolean {
  if (Object.is(a, b) || a === b) return true;
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)) || Math.abs(a - b) < 1e-12;
}

/** The labels of an object as a Map. */
export function mapOf(labels: LabelsObject): ReadonlyMap<string, string> {
  return new Map(Object.entries(labels));
}
