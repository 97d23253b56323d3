/**
 * Maps with few pairs. Runtimes without shapes (browsers, edge workers) have separate code for them. Every kind of key
 * and value at every position, whole and cut at every byte.
 */

import { cutAt, feed, outcome } from "@moonpack/harness/cuts.ts";
import { each, none } from "@moonpack/harness/each.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { Decoder, encode } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { test } from "vitest";

const PLAIN = ["id", "type", "ok", "x", "last"];
const KEYS: readonly unknown[] = ["é", "", "k".repeat(32), "__proto__", "toString", "constructor", 7, -1, null, 1.5];
const VALUES: readonly unknown[] = [1, 2 ** 31, "text", true, [1, [2]], { in: { side: { a: 1, __proto__x: 2 } } }, {}];

type Pair = readonly [unknown, unknown];

/** Returns the header and the pairs by the specification, since encode cannot write all of these keys in an object. */
const bytesOf = (pairs: readonly Pair[]) =>
  concat(Uint8Array.of(0x80 | pairs.length), ...pairs.flatMap((pair) => pair.map((item) => encode(item))));

/** Returns the expected value: a Map if a key is not a string, else an object. */
function valueOfPairs(pairs: readonly Pair[]): unknown {
  if (pairs.some(([key]) => typeof key !== "string")) return new Map(pairs);
  const object = {};
  for (const [key, value] of pairs)
    Object.defineProperty(object, key as string, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

const cases = [1, 2, 3, 4, 5].flatMap((n) =>
  Array.from({ length: n }, (_, at) => at).flatMap((at) =>
    [...KEYS, PLAIN[at]].flatMap((key) =>
      VALUES.map((value) => {
        const pairs = PLAIN.slice(0, n).map((plain, i): Pair => (i === at ? [key, value] : [plain, i]));
        return { name: `${n} pairs, ${String(key)} at ${at}`, pairs, bytes: bytesOf(pairs) };
      }),
    ),
  ),
);

test("maps of one to five pairs, whole, with a new decoder and with one that knows the keys", () => {
  const learned = new Decoder();
  each(cases, ({ bytes, pairs }) => {
    const expected = valueOfPairs(pairs);
    none(differ(new Decoder().decode(bytes), expected), "new");
    none(differ(learned.decode(bytes), expected), "learned");
  });
});

test("maps of one to five pairs in streams, cut at each byte", () => {
  const decoder = new StreamDecoder();
  each(cases, ({ bytes, pairs }) => {
    const expected = valueOfPairs(pairs);
    for (let i = 1; i < bytes.length; i++) {
      const values: unknown[] = [];
      feed(decoder, cutAt(bytes, [i]), {}, (value) => values.push(value));
      none(differ(values, [expected]), `at ${i}`);
    }
  });
});

test("a repeated key has its last value and its first position", () => {
  const decoder = new Decoder();
  each(
    [2, 3, 4, 5].map((n) => ({ name: `${n} pairs`, n })),
    ({ n }) => {
      const pairs = Array.from({ length: n }, (_, i): Pair => [i === n - 1 ? PLAIN[0] : PLAIN[i], i]);
      none(differ(decoder.decode(bytesOf(pairs)), valueOfPairs(pairs)));
    },
  );
});

test("truncated at any byte: ERR_TRUNCATED, and the decoder still works", () => {
  const decoder = new Decoder();
  each(cases, ({ bytes, pairs }) => {
    for (let i = 0; i < bytes.length; i++) {
      const { error } = outcome(() => decoder.decode(bytes.subarray(0, i)));
      if (error?.code !== "ERR_TRUNCATED") throw new Error(`at ${i}: ${String(error)}`);
    }
    none(differ(decoder.decode(bytes), valueOfPairs(pairs)));
  });
});
