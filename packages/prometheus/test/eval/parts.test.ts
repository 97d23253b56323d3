/** Labels, conditions, hashes, dates and orders. */
import { caught } from "@moonpack/harness/caught.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Labels, labelsTest, parseMatchers, parseQuery, resultRows, valueTest } from "@moonpack/prometheus";
import { describe, expect, test } from "vitest";
import { isBefore } from "../../src/eval/functions/natural-order.ts";
import { hashRatio, xxHash64 } from "../../src/eval/hash.ts";
import { Labels as BuiltLabels } from "../../src/eval/labels.ts";
import { at, loaded, run } from "../harness/evaluated.ts";

test("wrong conditions have a code", () => {
  expect(caught(() => labelsTest([null as never]))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  for (const value of ["(", "\ud800", "a".repeat(70_000) + "?"])
    expect(caught(() => valueTest({ name: "a", operator: "=~", value }))).toMatchObject({
      code: "ERR_INVALID_ARGUMENT",
    });
});

test("texts of lists and starts of patterns may have escaped characters", () => {
  const matches = (value: string, texts: readonly string[]) =>
    texts.filter(valueTest({ name: "a", operator: "=~", value }));
  const texts = ["", "a\\", "b", "a|b", "a\\|b", "1.2", "1x2", "1.2.3", "_"];
  expect(matches("a\\\\|b", texts)).toEqual(["a\\", "b"]);
  expect(matches("a\\|b|", texts)).toEqual(["", "a|b"]);
  expect(matches("1\\.2|\\_", texts)).toEqual(["1.2", "_"]);
  expect(matches("1\\.2.*", texts)).toEqual(["1.2", "1.2.3"]);
  expect(matches("1\\.2.+", texts)).toEqual(["1.2.3"]);
});

describe("labels", () => {
  test("they are sorted, without empty values, whatever their names", () => {
    const labels = Labels.of({ b: "2", a: "1", empty: "", ["__proto__"]: "p", constructor: "c" });
    expect([...labels.names]).toEqual(["__proto__", "a", "b", "constructor"]);
    expect(String(labels)).toBe('{__proto__="p", a="1", b="2", constructor="c"}');
    expect(labels.get("toString")).toBe("");
    expect(Object.keys(Object.fromEntries(labels))).toEqual([...labels.names]);
  });
  test("keys differ for all different labels", () => {
    const parts = ["", "1", "1:", "a", "a1", ":", "1:a"];
    const keys = new Map<string, string>();
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const labels = Labels.of([
              [`x${a}`, b],
              [`y${c}`, d],
            ] as const);
            const known = keys.get(labels.key) ?? String(labels);
            expect(known).toBe(String(labels));
            keys.set(labels.key, known);
          }
  });
  test("the order is the one of UTF-8: a character beyond U+FFFF is after U+FFFD", () => {
    const order = ["a", "z", "\u00e9", "\ufffd", "\u{1f600}"].map((value) => Labels.of({ a: value }));
    for (const [i, one] of order.entries())
      for (const [j, other] of order.entries()) expect(Math.sign(one.compare(other))).toBe(Math.sign(i - j));
    expect(Labels.of({ a: "1" }).compare(Labels.of({ a: "1", b: "1" }))).toBeLessThan(0);
  });
});

describe("conditions", () => {
  const holds = (condition: string, value: string): boolean =>
    valueTest(parseMatchers(`{zzz="z",${condition}}`)[1]!)(value);
  test("patterns with and without a regular expression agree with JavaScript's", () => {
    const random = randomSource(35_003);
    const letters = ["a", "b", "|", ".*", ".+", "\n", "-", "x"];
    for (let i = 0; i < 2000; i++) {
      const pattern = Array.from({ length: random(5) }, () => letters[random(letters.length)]!).join("");
      const value = Array.from({ length: random(5) }, () => letters[random(letters.length)]!).join("");
      const matcher = { name: "a", operator: "=~", value: pattern } as const;
      expect(valueTest(matcher)(value), JSON.stringify([pattern, value])).toBe(
        new RegExp(`^(?:${pattern})$`, "s").test(value),
      );
    }
  });
  test("a missing label is an empty text", () => {
    expect(holds('a!~"x|"', "")).toBe(false);
    expect(holds('a=~"|x"', "")).toBe(true);
    expect(labelsTest(parseMatchers('x{b=""}'))(Labels.of({ __name__: "x" }))).toBe(true);
  });
  test("RE2 takes linear time where JavaScript backtracks", () => {
    const before = performance.now();
    expect(holds('a=~"(a+)+b"', "a".repeat(5000))).toBe(false);
    expect(performance.now() - before).toBeLessThan(5000);
    expect(holds('a=~"(?i:x)y"', "Xy")).toBe(true);
  });
});

describe("hashes", () => {
  test("xxHash64 has the values of its specification", () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    expect(xxHash64(bytes(""))).toBe(0xef46db3751d8e999n);
    expect(xxHash64(bytes("a"))).toBe(0xd24ec4f1a98c6e5bn);
    expect(xxHash64(bytes("abc"))).toBe(0x44bc2cf5ad770999n);
    // Longer than the 32 bytes of a block.
    expect(xxHash64(bytes("Nobody inspects the spammish repetition"))).toBe(0xfbcea83c8a378bf1n);
  });
  test("ratios are spread over 0 to 1, for long labels too", () => {
    const ratios = Array.from({ length: 1000 }, (_, i) =>
      hashRatio(BuiltLabels.of({ a: "x".repeat(i), b: String(i) })),
    );
    expect(ratios.every((ratio) => ratio >= 0 && ratio < 1)).toBe(true);
    expect(ratios.filter((ratio) => ratio < 0.5).length).toBeGreaterThan(400);
    expect(ratios.filter((ratio) => ratio < 0.5).length).toBeLessThan(600);
  });
});

test("dates agree with JavaScript's from the year 1 to 9999", async () => {
  const random = randomSource(35_004);
  for (let i = 0; i < 300; i++) {
    const seconds = Math.floor((random(2 ** 31) / 2 ** 31) * 315_000_000_000) - 62_000_000_000;
    const date = new Date(seconds * 1000);
    const wanted = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day_of_month: date.getUTCDate(),
      day_of_week: date.getUTCDay(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      days_in_month: new Date(Date.UTC(2000 + (date.getUTCFullYear() % 400), date.getUTCMonth() + 1, 0)).getUTCDate(),
    };
    for (const [name, value] of Object.entries(wanted))
      expect(await at(loaded(1000, "x 1"), `${name}(vector(${seconds}))`, 0), `${name} ${seconds}`).toEqual([
        ["{}", value],
      ]);
  }
  expect(await at(loaded(1000, "x 1"), "day_of_year(vector(951782400))", 0)).toEqual([["{}", 60]]);
});

test("numbers in texts are compared as numbers", () => {
  const sorted = ["a1", "a2", "a10", "b1", "b1c", "b1c2", "99999999999999999999", "x"].sort((a, b) =>
    isBefore(a, b) ? -1 : 1,
  );
  expect(sorted.indexOf("a2")).toBeLessThan(sorted.indexOf("a10"));
  expect(isBefore("a10", "a9")).toBe(false);
  expect(isBefore("a", "a1")).toBe(true);
  expect(isBefore("a1", "a")).toBe(false);
});

test("rows of results are plain objects", async () => {
  const source = loaded(1000, 'x{a="1"} 1 2');
  expect(resultRows((await run(source, "x", { start: 1000 })).value)).toEqual([
    { labels: { __name__: "x", a: "1" }, time: 1000, value: 2 },
  ]);
  expect(resultRows((await run(source, "x", { start: 0, end: 1000, step: 1000 })).value)).toEqual([
    { labels: { __name__: "x", a: "1" }, times: [0, 1000], values: [1, 2] },
  ]);
  expect(resultRows((await run(source, '"text"', { start: 0 })).value)).toBe("text");
  expect(parseQuery("x").kind).toBe("selector");
});
