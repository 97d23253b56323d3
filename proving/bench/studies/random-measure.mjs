// The measurements of random.mjs.
import { randomBytes, randomUUID } from "node:crypto";
import { Random } from "../dist/workloads/random.js";
import { IdPool } from "./ids.mjs";
import { bytesEach, race } from "./measure.mjs";
import { V8_POOL, Xorshift128 } from "./xorshift.mjs";

export const SEED = 42;
/** More than three pools. */
const COMPARED = 200;

/**
 * This process was started with --random-seed=42. Values are compared directly, since other code may also use
 * Math.random.
 */
export function sequence() {
  const given = Array.from({ length: COMPARED }, () => Math.random());
  const isSame = (bits) => {
    const ours = new Xorshift128(SEED, { bits });
    return given.every((value) => value === ours.next());
  };
  const pools = [1, V8_POOL].map((pool) => {
    const ours = new Xorshift128(SEED, { pool });
    return Array.from({ length: V8_POOL }, () => ours.next());
  });
  return {
    "same.52": isSame(52),
    "same.53": isSame(53),
    "same.either": isSame(52) || isSame(53),
    // A pool is consumed from its end.
    "same.pool": pools[0].every((value, i) => value === pools[1][V8_POOL - 1 - i]),
  };
}

export function ids() {
  const pool = new IdPool(256);
  const made = Array.from({ length: 10_000 }, () => pool.next());
  return {
    "id.well-formed": made.every((id) => /^[0-9a-f]{32}$/.test(id)),
    "id.distinct": new Set(made).size === made.length,
  };
}

export async function idBytes() {
  const pool = new IdPool(256);
  return {
    "id.bytes": Math.round(await bytesEach(50_000, () => pool.next())),
    "uuid.bytes": Math.round(await bytesEach(50_000, () => randomUUID())),
  };
}

/** Numbers are created by the hundred, so that the cost of a call is small. */
function hundred(name, next) {
  return new Function(
    "next",
    `/* ${name} */ return () => { let sum = 0; for (let i = 0; i < 100; i++) sum += next(); return sum; };`,
  )(next);
}

export function numbers() {
  const generator = (pool) => {
    const ours = new Xorshift128(SEED, { pool });
    return () => ours.next();
  };
  const seeded = new Random(SEED);
  const ways = {
    "pool-1": generator(1),
    "pool-64": generator(V8_POOL),
    "pool-1024": generator(1024),
    mulberry: () => seeded.next(),
    math: () => Math.random(),
  };
  return race(
    "number.pool-1",
    Object.entries(ways).map(([name, next]) => ({ id: `number.${name}`, call: hundred(name, next) })),
  );
}

export function texts() {
  const pools = new Map([1, 16, 256].map((size) => [size, new IdPool(size)]));
  const word = () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return race("text.uuid", [
    { id: "text.uuid", call: () => randomUUID() },
    { id: "text.uuid-unpooled", call: () => randomUUID({ disableEntropyCache: true }) },
    { id: "text.bytes", call: () => randomBytes(16).toString("hex") },
    ...[...pools].map(([size, pool]) => ({ id: `text.pool-${size}`, call: () => pool.next() })),
    { id: "text.math", call: () => word() + word() + word() + word() },
  ]);
}
