/** Log records of points: columns of ids, times and values. A column that one number describes is omitted. */
import { type Cursor, fixed, float64 } from "./bytes.ts";
import { countOf, type Values } from "./values.ts";

export type Points = {
  readonly ids: readonly number[];
  /** Unix milliseconds. */
  readonly times: readonly number[];
} & Values;

/** The head's bytes `times`, `ids` and `values`, and the body. */
export interface PointsForm {
  readonly flags: readonly [times: number, ids: number, values: number];
  readonly body: readonly number[];
}

const F64 = 0;
const I32 = 1;
const I16 = 2;
const I64 = 3;

export function encodePoints(points: Points): PointsForm {
  const { ids, times } = points;
  const ownIds = ids.every((id, i) => id === ids[0]! + i) ? 0 : 1;
  const ownTimes = times.every((time) => time === times[0]) ? 0 : 1;
  const kind = kindOf(points);
  return {
    flags: [ownTimes, ownIds, kind],
    body: [
      ...[...fixed(ids.length, 4), ...fixed(ids[0]!, 4), ...float64(ownTimes === 1 ? 0 : times[0]!)],
      ...(ownIds === 1 ? padded(ids.flatMap((id) => fixed(id, 4))) : []),
      ...(ownTimes === 1 ? times.flatMap(float64) : []),
      ...encodeColumn(points, kind),
    ],
  };
}

/** The narrowest kind that holds all values. */
function kindOf(values: Values): number {
  if ("int64s" in values) return I64;
  const fits = (limit: number) => (value: number) =>
    Number.isInteger(value) && !Object.is(value, -0) && -limit <= value && value < limit;
  if (values.floats.every(fits(2 ** 15))) return I16;
  return values.floats.every(fits(2 ** 31)) ? I32 : F64;
}

function encodeColumn(values: Values, kind: number): number[] {
  if ("int64s" in values) return values.int64s.flatMap((value) => fixed(value, 8));
  if (kind === F64) return values.floats.flatMap(float64);
  return values.floats.flatMap((value) => fixed(value, kind === I16 ? 2 : 4));
}

export function decodePoints([ownTimes, ownIds, kind]: PointsForm["flags"], cursor: Cursor): Points {
  const count = Number(cursor.fixed(4));
  const first = Number(cursor.fixed(4));
  const time = cursor.float64();
  const list = <T>(read: () => T) => Array.from({ length: count }, read);
  let ids = Array.from({ length: count }, (_, i) => first + i);
  if (ownIds === 1) {
    ids = list(() => Number(cursor.fixed(4)));
    cursor.take(count % 2 === 1 ? 4 : 0);
  }
  const times = list(() => (ownTimes === 1 ? cursor.float64() : time));
  const points = { ids, times, ...decodeColumn(kind, list, cursor) };
  if (countOf(points) !== count) throw new Error("values are missing");
  return points;
}

function decodeColumn(kind: number, list: <T>(read: () => T) => T[], cursor: Cursor): Values {
  const signed = (size: number) => BigInt.asIntN(8 * size, cursor.fixed(size));
  if (kind === I64) return { int64s: list(() => signed(8)) };
  if (kind === F64) return { floats: list(() => cursor.float64()) };
  return { floats: list(() => Number(signed(kind === I16 ? 2 : 4))) };
}

/** Zero bytes up to a multiple of 8. */
export function padded(bytes: readonly number[]): number[] {
  return [...bytes, ...new Array<number>((8 - (bytes.length % 8)) % 8).fill(0)];
}
