import { randomSource } from "@moonpack/harness/random.ts";

/** What random values may contain, beside what every option of msgpackr writes. */
export interface Kinds {
  /** Set, RegExp, Error and typed arrays. */
  readonly more?: boolean;
  /** References to earlier objects, also to those that are not complete. */
  readonly references?: boolean;
  /** Bigints beyond 64 bits. */
  readonly large?: boolean;
  /** Values without undefined. */
  readonly plain?: boolean;
  /** Keys of Maps that are not strings. */
  readonly keys?: boolean;
}

const NAMES = ["id", "name", "größe", "三四", "toString", "constructor", "7", "x y", "", "deeper", "9999", "a.b"];
const TEXTS = [
  "",
  "a",
  "hello",
  "größe",
  "三四五六七",
  "😀 emoji",
  "longer than thirty-one characters, in Latin",
  "naïve façade",
];
const TYPED = [
  () => new Int8Array([-1, 2]),
  () => new Uint8Array([1, 2, 255]),
  () => new Uint8ClampedArray([3]),
  () => new Int16Array([-300]),
  () => new Uint16Array([]),
  () => new Int32Array([1, -70000]),
  () => new Uint32Array([4e9]),
  () => new Float32Array([1.5, Number.NaN]),
  () => new Float64Array([Math.PI]),
  () => new BigInt64Array([-1n]),
  () => new BigUint64Array([2n ** 64n - 1n]),
  () => new Uint8Array([5, 6]).buffer,
  () => new DataView(new Uint8Array([7, 8, 9]).buffer),
];

/** Returns a function for random values of these kinds: the same ones for each seed. */
export function randomValues(seed: number, kinds: Kinds): () => unknown {
  const random = randomSource(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const integer = (): number =>
    pick([random(300) - 150, 64 + random(64), random(2 ** 31), -random(2 ** 31), random(2 ** 50)]);
  const text = (): string => pick([() => pick(TEXTS), () => pick(TEXTS).repeat(random(9)), () => `n${random(9999)}`])();
  const key = (): string => (random(12) === 0 ? text() : pick(NAMES));
  let earlier: object[] = [];

  function scalar(): unknown {
    switch (random(kinds.large ? 13 : 12)) {
      case 0:
        return null;
      case 1:
        return kinds.plain ? null : undefined;
      case 2:
        return random(2) === 0;
      case 3:
        return random(1e6) / pick([4, 10, 1000, 7]);
      case 4:
        return BigInt(integer()) * pick([1n, 3n, -1n]);
      case 5:
        return new Date(pick([0, 1e12, 1e12 + 7, -1, 2 ** 34 * 1000 + 5, random(1e9)]));
      case 6:
        return new Uint8Array(random(5)).fill(random(256));
      case 7:
        return pick([Number.NaN, Infinity, -Infinity, 2 ** 53, 1e300]);
      case 8:
      case 9:
        return integer();
      case 12:
        return pick([1n, -1n]) * BigInt(random(2 ** 30)) ** BigInt(random(30));
      default:
        return text();
    }
  }

  function made<T extends object>(object: T): T {
    earlier.push(object);
    return object;
  }

  function value(depth: number): unknown {
    if (kinds.references && earlier.length > 0 && random(8) === 0) return pick(earlier);
    if (depth === 0 || random(3) === 0) return scalar();
    const n = random(5);
    const kind = random(kinds.more ? 9 : 6);
    if (kind < 2) {
      const array = made<unknown[]>([]);
      for (let i = 0; i < n; i++) array.push(value(depth - 1));
      return array;
    }
    if (kind < 5) {
      const object = made<Record<string, unknown>>({});
      for (let i = 0; i < n; i++) object[key()] = value(depth - 1);
      return object;
    }
    if (kind === 5) {
      const map = made(new Map<unknown, unknown>());
      for (let i = 0; i < n; i++) map.set(kinds.keys ? scalar() : key(), value(depth - 1));
      return map;
    }
    if (kind === 6) {
      const set = made(new Set<unknown>());
      for (let i = 0; i < n; i++) set.add(value(depth - 1));
      return set;
    }
    if (kind === 7) return made(pick(TYPED)());
    if (random(2) === 0) return made(new RegExp(pick(["a", "\\d+\\/", "[a-z]"]), pick(["", "g", "iu"])));
    return new (pick([Error, TypeError, RangeError]))(
      text(),
      random(2) === 0 ? { cause: value(depth - 1) } : undefined,
    );
  }
  return () => {
    earlier = [];
    return value(5);
  };
}

/** A copy that can be compared with `toEqual`: plain Uint8Arrays, and parts of Errors. */
export function comparable(value: unknown, known = new Map<unknown, unknown>()): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (known.has(value)) return known.get(value);
  const keep = <T>(copy: T): T => {
    known.set(value, copy);
    return copy;
  };
  const inner = (part: unknown): unknown => comparable(part, known);
  if (value instanceof Uint8Array) return keep(new Uint8Array(value));
  if (value instanceof Error) {
    const parts = keep<Record<string, unknown>>({ error: value.name, message: value.message });
    parts.cause = inner(value.cause);
    return parts;
  }
  if (Array.isArray(value)) {
    const copy = keep<unknown[]>([]);
    for (const each of value) copy.push(inner(each));
    return copy;
  }
  if (value instanceof Map) {
    const copy = keep(new Map<unknown, unknown>());
    for (const [key, each] of value) copy.set(inner(key), inner(each));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set<unknown>());
    for (const each of value) copy.add(inner(each));
    return copy;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy = keep<Record<string, unknown>>({});
  for (const [key, each] of Object.entries(value)) copy[key] = inner(each);
  return copy;
}
