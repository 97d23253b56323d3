/** Arbitraries for values that MessagePack represents and that round-trip unchanged. */
import fc from "fast-check";
import { Extension, Timestamp } from "moonpack";

/** Keys with a meaning in JavaScript or in other libraries, and keys at the length limits of the library's caches. */
const WEIRD_KEYS = [
  "__proto__",
  "",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "toJSON",
  "toMessagePack",
  "then",
  "length",
  "0",
  "1",
  "-1",
  "4294967295",
  "__defineSetter__",
  "get",
  "set",
  "value",
  "a b",
  "é",
  "日本",
  "😀",
  "\ufeff",
  "\0",
  "a".repeat(31),
  "a".repeat(32),
  "k".repeat(300),
  "\u2028",
  '"]);throw 1//',
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 50 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 400 }) },
  { weight: 1, arbitrary: fc.nat(300).map((n) => "x".repeat(n)) },
);

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("id", "name", "x", "y", "type", "list", "value") },
  { weight: 3, arbitrary: fc.constantFrom(...WEIRD_KEYS) },
  { weight: 1, arbitrary: text },
);

const INT64_EDGE = 2n ** 53n;
/** Integers outside the safe range: bigint before encoding and after decoding. */
const wide = fc.oneof(
  fc.bigInt({ min: INT64_EDGE, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -INT64_EDGE }),
  fc.constantFrom(INT64_EDGE, -INT64_EDGE, 2n ** 63n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n),
);

const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -40_000, max: 70_000 }),
  fc.integer({ min: -200, max: 300 }),
  fc.double(),
  fc.float(),
  fc.constantFrom(
    -0,
    Number.NaN,
    Infinity,
    -Infinity,
    2 ** 53,
    -(2 ** 53),
    1e20,
    2 ** 60,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ),
  fc.nat(63).map((bits) => 2 ** bits),
);

const time = fc.oneof(
  fc.date({ noInvalidDate: true }),
  fc
    .record({
      s: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat().map(BigInt)),
      ns: fc.nat(999_999_999),
    })
    .map(({ s, ns }) => {
      const stamp = new Timestamp(s, ns);
      return stamp.isDate ? stamp.toDate() : stamp;
    }),
);

const binary = fc.oneof(
  fc.uint8Array({ maxLength: 70 }),
  fc.nat(3000).map((n) => new Uint8Array(n).fill(n)),
);

const extension = fc
  .record({ type: fc.integer({ min: -128, max: 127 }), data: fc.uint8Array({ maxLength: 20 }) })
  .filter(({ type }) => type !== -1)
  .map(({ type, data }) => new Extension(type, data));

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  { weight: 4, arbitrary: number },
  wide,
  { weight: 4, arbitrary: text },
  binary,
  time,
  extension,
);

/** Map keys that are not strings. Without -0, because a Map treats -0 and 0 as the same key. */
const otherKey = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -100_000, max: 100_000 }),
  wide,
  fc.double({ noNaN: true, noInteger: true }),
);

/** Returns an object with the entries as own properties, also for the key `__proto__`. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): object {
  const object = {};
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return object;
}

const tree = fc.letrec<{ value: unknown; array: unknown; object: unknown; map: unknown; records: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 5, arbitrary: scalar },
    { weight: 2, arbitrary: tie("array") },
    { weight: 3, arbitrary: tie("object") },
    { weight: 1, arbitrary: tie("map") },
    { weight: 1, arbitrary: tie("records") },
  ),
  array: fc.array(tie("value"), { maxLength: 20 }),
  object: fc.uniqueArray(fc.tuple(key, tie("value")), { maxLength: 20, selector: ([name]) => name }).map(objectOf),
  // At least one key is not a string: a Map with only string keys decodes to an object.
  map: fc
    .tuple(otherKey, tie("value"), fc.array(fc.tuple(fc.oneof(key, otherKey), tie("value")), { maxLength: 8 }))
    .map(([first, value, rest]) => new Map<unknown, unknown>([[first, value], ...rest])),
  // Mostly rows of one shape, some of another: this exercises predicted reading.
  records: fc
    .tuple(
      fc.uniqueArray(key, { minLength: 1, maxLength: 6 }),
      fc.array(fc.array(tie("value"), { minLength: 7, maxLength: 7 }), { maxLength: 8 }),
    )
    .map(([names, rows]) =>
      rows.map((row, i) =>
        objectOf(names.slice(0, i % 5 === 4 ? 1 : undefined).map((name, j) => [name, row[j]] as const)),
      ),
    ),
}));

/** Any value that round-trips. */
export const anyValue: fc.Arbitrary<unknown> = tree.value;
/** Any value that round-trips and whose root is an object with string keys. */
export const anyObject: fc.Arbitrary<object> = tree.object as fc.Arbitrary<object>;
