/** InfluxDB's own corpus of line protocol: 6,615 texts, with what its decoder makes of each. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { metricText } from "../src/series/metric-text.js";
import { UNIT_NS } from "../src/series/times.js";
import { isLeftOut, moduleFolder } from "./go-module.js";
import { NOW, readPoints } from "./series-points.js";

const folder = moduleFolder("github.com/influxdata/line-protocol/v2@v2.2.1");

/** A text, or bytes that are not UTF-8. */
type Text = string | { readonly binary: string };
type Value = Readonly<Record<"float" | "int" | "uint" | "bool" | "string", unknown>>;
interface Point {
  readonly time: string;
  readonly name: Text;
  readonly tags?: readonly { readonly key: Text; readonly value: Text }[];
  readonly fields: readonly { readonly key: Text; readonly value: Partial<Value> }[];
}
interface Case {
  readonly input: { readonly text: Text; readonly defaultTime: string; readonly precision: string };
  readonly output: { readonly result?: readonly Point[] | null; readonly error?: string };
}

const UNITS = { "1ns": "ns", "1µs": "us", "1ms": "ms", "1s": "s" } as const;
const bytesOf = (text: Text) => (typeof text === "string" ? Buffer.from(text) : Buffer.from(text.binary, "base64"));
const textOf = (text: Text) => bytesOf(text).toString("utf8");

/** Why a store refuses what InfluxDB does not. */
type Reason = "before 1970" | "a uint64" | "a field twice";
/** The values that export writes and InfluxDB refuses. */
const NAN = "field value has unrecognized type";

/** The points that a store has for a result; a reason if it refuses the record. */
function expected({ time, name, tags = [], fields }: Point, defaultTime: bigint): readonly string[] | Reason {
  const milliseconds = BigInt(time) === defaultTime ? NOW : Number(BigInt(time) / 1_000_000n);
  if (BigInt(time) < 0n) return "before 1970";
  const keys = fields.map(({ key }) => textOf(key));
  const labels = Object.fromEntries(tags.map(({ key, value }) => [textOf(key), textOf(value)]));
  const points: string[] = [];
  for (const [i, { value }] of fields.entries()) {
    if (value.string !== undefined) continue;
    const [kind, content] = Object.entries(value)[0]!;
    if (kind === "uint" && BigInt(content as string) >= 2n ** 63n) return "a uint64";
    const metric = metricText({ name: `${textOf(name)}.${keys[i]}`, tags: labels });
    const isInteger = kind === "int" || kind === "uint";
    points.push(`${metric} ${milliseconds} ${isInteger ? `${content}i` : Number(content)}`);
  }
  return new Set(points.map((point) => point.split(" ", 1)[0])).size < points.length ? "a field twice" : points;
}

test.skipIf(isLeftOut(folder))("every text has the points of InfluxDB, or is refused", async () => {
  const path = join(folder!, "lineprotocol/testdata/corpus.json");
  // Integers are read as texts, since nanoseconds are beyond 2^53.
  const text = readFileSync(path, "utf8").replace(/(?<="(?:time|defaultTime|int|uint)":\s*)(-?\d+)/g, '"$1"');
  const cases = Object.values((JSON.parse(text) as { decode: Record<string, Case> }).decode);
  expect(cases).toHaveLength(6615);
  const counts = new Map<string, number>();
  const wrong: unknown[] = [];
  for (const { input, output } of cases) {
    const unit = UNITS[input.precision as keyof typeof UNITS];
    const { points, errors } = await readPoints(bytesOf(input.text), { format: "line", unit });
    // A point without a time has the default, cut to the unit. The corpus has no sign of zero.
    const now = BigInt(input.defaultTime) - (BigInt(input.defaultTime) % BigInt(UNIT_NS[unit]));
    const results = (output.result ?? []).map((point) => expected(point, now));
    const reason = results.find((result) => typeof result === "string");
    const isNan = output.error?.includes(NAN) === true && points.some((point) => point.endsWith(" NaN"));
    const kind = isNan ? "NaN" : output.error !== undefined ? "refused" : (reason ?? "read");
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const found = points.map((point) => point.replace(/ -0$/, " 0"));
    const isRight =
      kind === "read"
        ? errors.length === 0 && isDeepStrictEqual(found, results.flat())
        : kind === "NaN" || errors.length > 0;
    if (!isRight) wrong.push({ text: textOf(input.text), output, points, errors });
  }
  expect(wrong).toEqual([]);
  // NaN is read, since export writes it. A store has no times before 1970 and no integers from 2^63 on: their records are refused.
  expect(Object.fromEntries(counts)).toEqual({ read: 382, refused: 6213, NaN: 7, "before 1970": 5, "a uint64": 8 });
});
