/** Makes values invalid in one place: encoders throw, or with `validate: false` may write another value. */
import { pick, type Random } from "./random-schemas.ts";

const WRONG: readonly unknown[] = [
  undefined,
  null,
  "x",
  "\ud800",
  "é",
  -1,
  0.5,
  300,
  2 ** 60,
  NaN,
  5n,
  2n ** 70n,
  true,
  [],
  {},
  new Map(),
  new Map([["a", 1]]),
  new Uint8Array(2),
  [1, "a"],
  new Date(0),
  () => 1,
  Symbol("s"),
];

/** Returns the value with another value in one place. The result may still be valid. */
export function spoiled(random: Random, value: unknown): unknown {
  const isLeaf = typeof value !== "object" || value === null || value instanceof Uint8Array;
  if (isLeaf || random(4) === 0) return pick(random, WRONG);
  if (value instanceof Map) {
    const entries = [...value];
    if (entries.length === 0) return new Map([[pick(random, WRONG), 1]]);
    const i = random(entries.length);
    const [key, item] = entries[i]!;
    entries[i] = random(3) === 0 ? [pick(random, WRONG), item] : [key, spoiled(random, item)];
    return new Map(entries);
  }
  if (Array.isArray(value)) {
    const i = random(value.length + 1);
    return i === value.length ? [...value, pick(random, WRONG)] : value.with(i, spoiled(random, value[i]));
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return pick(random, WRONG);
  const key = pick(random, keys);
  return Object.fromEntries(Object.entries(value).map(([k, item]) => [k, k === key ? spoiled(random, item) : item]));
}
