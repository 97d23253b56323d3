import { fault } from "@moonpack/harness/caught.ts";
import { each, equal } from "@moonpack/harness/each.ts";
import { thinned } from "@moonpack/harness/effort.ts";
import { concat, fromHex } from "@moonpack/harness/hex.ts";
import { rejected, vectors } from "@moonpack/harness/vectors.ts";
import { type Diagnosis, decode, diagnose, encode } from "moonpack";
import { describe, expect, test } from "vitest";

const small = vectors.filter((v) => v.bytes.length < 5000);

describe("diagnose", () => {
  test("every vector: the items are contiguous and cover all bytes", () => {
    each(small, ({ bytes }) => {
      let at = 0;
      for (const item of diagnose(bytes)) {
        if (item.error !== undefined) throw new Error(`${item.error.message}`);
        equal(item.offset, at, "offset");
        if (item.end <= item.offset) throw new Error(`an empty item at ${item.offset}`);
        at = item.end;
      }
      equal(at, bytes.length, "end");
    });
  });

  test("every strict prefix: the last entry of the dump has ERR_TRUNCATED", () => {
    each(thinned(vectors.filter((v) => v.bytes.length < 300)), ({ bytes }) => {
      for (let n = 0; n < bytes.length; n++) {
        const items = [...diagnose(bytes.slice(0, n))];
        const last = items.at(-1)!;
        equal([last.format, last.error?.code, last.end], ["broken", "ERR_TRUNCATED", n]);
        if (items.slice(0, -1).some((item) => item.error !== undefined))
          throw new Error("an error before the last entry");
      }
    });
  });

  test("rejected vectors: never throws, and reports the decoder's error if it does not depend on options", () => {
    each(rejected, ({ bytes, code, offset, strict }) => {
      const items = [...diagnose(bytes)];
      const faults = items.filter((item) => item.error !== undefined);
      if (strict || code === "ERR_UNKNOWN_EXTENSION" || code === "ERR_OUT_OF_RANGE") return;
      const first = faults[0]?.error;
      // A forged count is reported at the end of the bytes, not at its header.
      if (code === "ERR_TRUNCATED")
        equal(first?.code === "ERR_TRUNCATED" || first?.code === "ERR_LIMIT_DEPTH", true, String(first?.code));
      else equal([first?.code, first?.offset], [code, offset]);
    });
  });

  test("paths, roles, formats and meanings", () => {
    const shown = [...diagnose(encode({ a: [1, "two", { "b c": null }], n: new Map([[5, -1.5]]) }))].map(
      ({ offset, depth, path, role, format, meaning }: Diagnosis) =>
        `${offset} ${depth} ${role} ${path} ${format} ${meaning}`,
    );
    expect(shown).toEqual([
      "0 0 value $ fixmap map of 2",
      '1 1 key $ fixstr "a"',
      "3 1 value $.a fixarray array of 3",
      "4 2 value $.a[0] positive fixint 1",
      '5 2 value $.a[1] fixstr "two"',
      "9 2 value $.a[2] fixmap map of 1",
      '10 3 key $.a[2] fixstr "b c"',
      '14 3 value $.a[2]["b c"] nil nil',
      '15 1 key $ fixstr "n"',
      "17 1 value $.n fixmap map of 1",
      "18 2 key $.n positive fixint 5",
      "19 2 value $.n[5] float 32 -1.5",
    ]);
  });

  test("malformed UTF-8 is reported and does not end the dump", () => {
    const items = [...diagnose(fromHex("92a2c32801"))];
    expect(items.length).toBe(3);
    expect([items[1]!.error?.code, items[1]!.offset]).toEqual(["ERR_INVALID_UTF8", 1]);
    expect(items[2]!.meaning).toBe("1");
  });

  test("trailing bytes are the last entry; in a sequence they are further messages", () => {
    const bytes = concat(encode(1), encode([2]));
    expect([...diagnose(bytes)].at(-1)!.error?.code).toBe("ERR_TRAILING_BYTES");
    const items = [...diagnose(bytes, { sequence: true })];
    expect(items.map((item) => item.path)).toEqual(["$[0]", "$[1]", "$[1][0]"]);
    expect(items.every((item) => item.error === undefined)).toBe(true);
  });

  test("timestamps are shown as times, also those outside the range of Date", () => {
    for (const { name, bytes, value, group } of vectors) {
      if (group !== "timestamps" || bytes[0]! < 0xc0) continue;
      const [item] = [...diagnose(bytes)];
      expect(item!.format, name).toMatch(/^timestamp (32|64|96)$/);
      const decoded = decode(bytes);
      if (decoded instanceof Date) expect(item!.meaning.slice(0, 19), name).toBe(decoded.toISOString().slice(0, 19));
      expect(value()).not.toBe(undefined);
    }
  });

  test("100,000 nested arrays end at the depth limit; 4096 levels need no recursion", () => {
    const items = [...diagnose(new Uint8Array(100_000).fill(0x91))];
    expect([items.length, items.at(-1)!.error?.code]).toEqual([513, "ERR_LIMIT_DEPTH"]);
    expect([...diagnose(new Uint8Array(10_000).fill(0x91), { maxDepth: 4096 })].length).toBe(4097);
  });

  test("invalid arguments throw ERR_INVALID_ARGUMENT", () => {
    for (const input of [undefined, null, "x", 5, [1]]) {
      expect(fault(() => [...diagnose(input as unknown as Uint8Array)])).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(fault(() => [...diagnose(fromHex("c0"), { maxDepth: 0 })])).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });
});
