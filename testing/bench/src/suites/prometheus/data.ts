/** The data and the queries that both sides get: counters, 15 seconds apart. */

/** A number of series over a time. */
export interface Data {
  readonly series: number;
  readonly hours: number;
  /** The last time, in milliseconds. */
  readonly end: number;
}

/** The time between two points, in milliseconds. */
export const GAP = 15_000;
/** No step of a query has the time of a point: Prometheus before 3.0 counts points at the start of a range. */
const SHIFT = 7000;
/** Data begin this much earlier than queries, in milliseconds: before the first points, versions of Prometheus differ. */
const LEAD = 900_000;
/** The steps of range queries. */
const STEPS = 250;
/** The name of the counters. */
export const NAME = "requests_total";

/** Returns the labels of a series. */
export function labelsOf(series: number): Record<string, string> {
  return { job: `job${series % 10}`, instance: `host-${series}`, code: "200" };
}

/** Yields the values of all series at each time. The array is used again. */
export function* scrapes({ series, hours, end }: Data): Generator<readonly [time: number, values: Float64Array]> {
  const values = new Float64Array(series);
  for (let time = end - hours * 3_600_000 - LEAD - SHIFT, n = 0; time <= end; time += GAP, n++) {
    for (let i = 0; i < series; i++) values[i]! += (i * 7 + n) % 13;
    yield [time, values];
  }
}

/** A query by its path and parameters. */
export interface Query {
  readonly id: "rate" | "instant";
  readonly path: string;
  readonly parameters: Record<string, string>;
}

/** Returns the queries over data. */
export function queriesOf({ hours, end }: Data): Query[] {
  const seconds = end / 1000;
  const length = hours * 3600;
  return [
    {
      id: "rate",
      path: "/api/v1/query_range",
      parameters: {
        query: `sum by (job) (rate(${NAME}[5m]))`,
        start: String(seconds - length + length / STEPS),
        end: String(seconds),
        step: String(length / STEPS),
      },
    },
    { id: "instant", path: "/api/v1/query", parameters: { query: `sum(${NAME})`, time: String(seconds) } },
  ];
}
