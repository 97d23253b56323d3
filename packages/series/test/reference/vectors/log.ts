/** Vectors of log records, and of the heads of log files. */
import { hexOf } from "../bytes.ts";
import { logExample } from "../examples.ts";
import type { Points } from "../log-points.ts";
import { encodeLogHead, encodeRecord, type LogRecord } from "../log-record.ts";
import type { Values } from "../values.ts";
import { type Vector, valuesOf } from "./notation.ts";
import { listOf } from "./random.ts";

const TIME = 1_700_000_000_000;

/** Like the record, but with values that JSON has. */
function jsonOf(record: LogRecord): object {
  if (!("points" in record)) return record;
  const { ids, times } = record.points;
  return { points: { ids, times, ...valuesOf(record.points) } };
}

function vector(name: string, record: LogRecord, number = 1): Vector {
  return { name, number, record: jsonOf(record), bytes: hexOf(encodeRecord(number, record)) };
}

function head(file: number): Vector {
  return { name: `the head of file ${file}`, file, bytes: hexOf(encodeLogHead(file)) };
}

/** Points with their own ids and times as `lists` says: neither, ids, times, or both. */
function points(lists: "neither" | "ids" | "times" | "both", values: Values): LogRecord {
  const count = "floats" in values ? values.floats.length : values.int64s.length;
  const hasIds = lists === "ids" || lists === "both";
  const hasTimes = lists === "times" || lists === "both";
  const shared: Pick<Points, "ids" | "times"> = {
    ids: listOf(count, (i) => (hasIds ? 100 + 3 * i : 100 + i)),
    times: listOf(count, (i) => (hasTimes ? TIME + 7 * i : TIME)),
  };
  return { points: { ...shared, ...values } };
}

export function logVectors(): Vector[] {
  const three: Values = { floats: [1, -2, 3] };
  const floats = (name: string, ...list: number[]) => vector(name, points("neither", { floats: list }));
  return [
    head(1),
    head(2 ** 32 - 1),
    vector(logExample.name, logExample.record, logExample.number),
    vector("points, an id for each", points("ids", three)),
    vector("points, an id for each, an even number of them", points("ids", { floats: [1, 2] })),
    vector("points, a time for each", points("times", three)),
    vector("points, an id and a time for each", points("both", three)),
    floats("one point", 0),
    floats("i16, its limits", -32_768, 32_767, 0),
    floats("i32 from 32,768 on", 32_768, 0),
    floats("i32, its limits", -(2 ** 31), 2 ** 31 - 1, 5),
    floats("f64 from 2^31 on", 2 ** 31),
    floats("f64 for -0", 1, -0),
    floats("f64 for NaN and the infinities", Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    floats("f64 for a fraction", 0.1),
    vector("int64, small", points("neither", { int64s: [1n, -1n] })),
    vector("int64, its limits, an id and a time for each", points("both", { int64s: [2n ** 63n - 1n, -(2n ** 63n)] })),
    vector("the last ids", { points: { ids: [2 ** 31 - 2, 2 ** 31 - 1], times: [0, 0], floats: [1, 2] } }),
    vector("define", { define: { id: 7, type: "float", name: "cpu", tags: [["host", "a1"]] } }),
    vector("define, int64, padded", { define: { id: 70_000, type: "int64", name: "température", tags: [] } }),
    vector("delete", { delete: { id: 33, from: 0, to: TIME } }),
    vector("forget", { forget: { id: 33 } }),
    vector("synced", { synced: { upTo: 41 } }, 42),
    vector("numbers count on to 2^32 - 1", { forget: { id: 0 } }, 2 ** 32 - 1),
    vector("and begin again at 0", { synced: { upTo: 2 ** 32 - 1 } }, 0),
  ];
}
