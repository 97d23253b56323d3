/** The cases of msgpack-test-suite (npm): several valid encodings for each value. An encoder must write one of them. */

import { each, none } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { decode, Extension, encode, Timestamp } from "moonpack";
import suite from "msgpack-test-suite" with { type: "json" };
import { describe, expect, test } from "vitest";

type Case = Readonly<Record<string, unknown>> & { readonly msgpack: readonly string[] };
const hex = (text: unknown) => fromHex(String(text).replaceAll("-", ""));

function wanted(c: Case): unknown {
  if ("timestamp" in c) {
    const [seconds, nanoseconds] = c.timestamp as [number, number];
    const time = new Timestamp(seconds, nanoseconds);
    return time.isDate ? time.toDate() : time;
  }
  if ("ext" in c) {
    const [type, data] = c.ext as [number, string];
    return new Extension(type, hex(data));
  }
  if ("binary" in c) return hex(c.binary);
  // `bignum` is exact; the `number` beside it may be rounded.
  if ("bignum" in c) {
    const n = BigInt(String(c.bignum));
    return Number.isSafeInteger(Number(n)) ? Number(n) : n;
  }
  for (const kind of ["nil", "bool", "number", "string", "array", "map"]) if (kind in c) return c[kind];
  throw new Error(`unknown kind of case: ${Object.keys(c).join()}`);
}

const groups = Object.entries(suite as unknown as Record<string, readonly Case[]>);

describe("msgpack-test-suite", () => {
  test("has at least 15 groups", () => {
    expect(groups.length).toBeGreaterThanOrEqual(15);
  });

  for (const [group, cases] of groups) {
    test(group, () => {
      each(
        cases.map((c) => ({ name: c.msgpack[0]!, c })),
        ({ c }) => {
          const value = wanted(c);
          for (const text of c.msgpack) {
            const got = decode(hex(text), { unknownExtensions: "keep" });
            // Floating point forms of unsafe integers decode to number, not bigint.
            const want = typeof value === "bigint" && typeof got === "number" ? Number(value) : value;
            none(differ(got, want), text);
          }
          const written = toHex(encode(value));
          if (!c.msgpack.some((text) => toHex(hex(text)) === written))
            throw new Error(`wrote ${written}, which is none of its forms`);
        },
      );
    });
  }
});
