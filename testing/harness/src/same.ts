import { Extension, Timestamp } from "moonpack";
import { bytesDiffer } from "./hex.ts";

/**
 * Returns null if both values are identical in every detail, else a text that says where they differ. -0 differs from
 * 0, and NaN equals NaN. Key order, prototypes, holes, and number against bigint count as differences.
 */
export function differ(a: unknown, b: unknown, path = "$"): string | null {
  // An explicit stack: values of the vectors are nested too deeply for recursion.
  const work: [unknown, unknown, string][] = [[a, b, path]];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const problem = step(...item, work);
    if (problem !== null) return problem;
  }
  return null;
}

function step(a: unknown, b: unknown, path: string, work: [unknown, unknown, string][]): string | null {
  if (Object.is(a, b)) return null;
  const unequal = `${path}: ${show(a)} against ${show(b)}`;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return unequal;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return `${path}: prototypes differ; ${unequal}`;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return `${path}: length ${a.length} against ${b.length}`;
    for (let i = 0; i < a.length; i++) {
      if (!(i in a) || !(i in b)) return `${path}[${i}]: a hole`;
      const x: unknown = a[i];
      const y: unknown = b[i];
      if (!Object.is(x, y)) work.push([x, y, `${path}[${i}]`]);
    }
    return null;
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    const problem = bytesDiffer(a, b);
    return problem === null ? null : `${path}: ${problem}`;
  }
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime()) ? null : unequal;
  if (a instanceof Timestamp && b instanceof Timestamp) {
    return a.seconds === b.seconds && a.nanoseconds === b.nanoseconds ? null : unequal;
  }
  if (a instanceof Extension && b instanceof Extension) {
    if (a.type !== b.type) return unequal;
    work.push([a.data, b.data, `${path}.data`]);
    return null;
  }
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return `${path}: ${a.size} entries against ${b.size}`;
    const other = b.entries();
    for (const [key, value] of a as Map<unknown, unknown>) {
      const [otherKey, otherValue] = other.next().value as [unknown, unknown];
      work.push([key, otherKey, `${path} key`], [value, otherValue, `${path}[${show(key)}]`]);
    }
    return null;
  }
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return `${path}: ${keys.length} keys against ${others.length}`;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (key !== others[i]) return `${path}: key ${show(key)} against ${show(others[i])}`;
    work.push([ownValue(a, key), ownValue(b, key), `${path}.${key}`]);
  }
  return null;
}

function ownValue(o: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(o, key)?.value;
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? value.slice(0, 60) + ".." : value);
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "object" && value !== null) {
    if (value instanceof Date) return `Date ${value.getTime()}`;
    if (value instanceof Timestamp) return `Timestamp ${value.seconds} ${value.nanoseconds}`;
    return Object.prototype.toString.call(value) + ` with ${Object.keys(value).length} keys`;
  }
  return String(value);
}
