/** traceparent and tracestate: what is read and written, limits, hostile text. */
import { expect, test } from "vitest";
import {
  formatTraceparent,
  formatTracestate,
  newSpanId,
  newTraceId,
  parseTraceparent,
  parseTracestate,
} from "../src/index.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const refused = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" });

test("a traceparent is read", () => {
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, flags: 1 });
  expect(parseTraceparent(`\t 00-${traceId}-${spanId}-03 `)).toEqual({ traceId, spanId, flags: 3 });
});

test("unknown flags are dropped", () => {
  expect(parseTraceparent(`00-${traceId}-${spanId}-ff`)?.flags).toBe(3);
  expect(parseTraceparent(`00-${traceId}-${spanId}-fc`)?.flags).toBe(0);
  expect(formatTraceparent({ traceId, spanId, flags: 255 })).toBe(`00-${traceId}-${spanId}-03`);
});

test("every later version but ff is read by what 00 has too", () => {
  for (let version = 1; version < 255; version++) {
    const start = `${version.toString(16).padStart(2, "0")}-${traceId}-${spanId}-01`;
    expect(parseTraceparent(start), start).toEqual({ traceId, spanId, flags: 1 });
    expect(parseTraceparent(`${start}-more`)).toEqual({ traceId, spanId, flags: 1 });
    expect(parseTraceparent(`${start}more`)).toBeUndefined();
  }
  expect(parseTraceparent(`ff-${traceId}-${spanId}-01`)).toBeUndefined();
});

test("any single character that is changed to one outside its set is refused", () => {
  const valid = `00-${traceId}-${spanId}-01`;
  for (let i = 0; i < valid.length; i++)
    for (const other of ["g", "A", " ", "\0", "\n", "é", "０", valid[i] === "-" ? "0" : "-"]) {
      const text = valid.slice(0, i) + other + valid.slice(i + 1);
      // A space at the start leaves 54 characters.
      expect(parseTraceparent(text), text).toBeUndefined();
    }
});

test("values that are not text, too short, too long or repeated are refused", () => {
  const valid = `00-${traceId}-${spanId}-01`;
  for (const bad of [undefined, null, 1, {}, [valid], "", valid.slice(1), `${valid}\n`, `${valid}, ${valid}`])
    expect(parseTraceparent(bad)).toBeUndefined();
  expect(parseTraceparent(`cc${valid.slice(2)}-${"x".repeat(456)}`)).toBeDefined();
  expect(parseTraceparent(`cc${valid.slice(2)}-${"x".repeat(457)}`)).toBeUndefined();
});

test("a traceparent that is written is read back", () => {
  for (let flags = 0; flags < 4; flags++) {
    const written = { traceId: newTraceId(), spanId: newSpanId(), flags };
    expect(parseTraceparent(formatTraceparent(written))).toEqual(written);
  }
});

test.each([
  { traceId: "0".repeat(32), spanId, flags: 1 },
  { traceId: traceId.toUpperCase(), spanId, flags: 1 },
  { traceId: `${traceId}\n`, spanId, flags: 1 },
  { traceId, spanId: "0".repeat(16), flags: 1 },
  { traceId, spanId: `${spanId}0`, flags: 1 },
  { traceId, spanId, flags: -1 },
  { traceId, spanId, flags: 256 },
  { traceId, spanId, flags: 0.5 },
  { traceId, spanId, flags: "1" as unknown as number },
  undefined as never,
  null as never,
  [] as never,
])("no traceparent is written of %j", (bad) => {
  expect(() => formatTraceparent(bad)).toThrow(refused);
});

test("a tracestate is read", () => {
  expect(parseTracestate("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")).toEqual([
    ["rojo", "00f067aa0ba902b7"],
    ["congo", "t61rcWkgMzE"],
  ]);
  expect(parseTracestate(["a=1", "", " , ", "b= 2 "])).toEqual([
    ["a", "1"],
    ["b", " 2"],
  ]);
  expect(parseTracestate("")).toEqual([]);
  expect(parseTracestate([])).toEqual([]);
});

test("of equal keys the first stays", () => {
  expect(parseTracestate("a=1,b=2,a=3")).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
});

test.each([
  "a",
  "=1",
  "a=",
  "a==",
  "a=1;b=2=3",
  "A=1",
  "_a=1",
  "@a=1",
  "a b=1",
  "a=\u00e9",
  "a=\u007f",
  "a=1\r\nb",
  "a=\0",
  "é=1",
  `${"k".repeat(257)}=1`,
  `a=${"v".repeat(257)}`,
  Array.from({ length: 33 }, (_, i) => `k${i}=1`).join(),
  Array.from({ length: 33 }, () => "k=1").join(),
])("a list with a bad member, or over 32, is dropped: %j", (text) => {
  expect(parseTracestate(`good=1,${text}`)).toBeUndefined();
});

test("values that are not text are refused", () => {
  for (const bad of [undefined, null, 1, {}, Symbol.iterator])
    expect(parseTracestate(bad as unknown as string)).toBeUndefined();
});

test("hostile lists are refused, or empty", () => {
  for (const text of [
    Array.from({ length: 10_000 }, (_, i) => `k${i}=1`).join(),
    ",".repeat(1 << 20),
    " ".repeat(1 << 20),
    `${" ".repeat(30_000)}=1`,
    `a=${" ".repeat(32_000)}`,
    "a".repeat(32_000),
    "=".repeat(32_000),
    `${",".repeat(32_700)}a=`,
  ])
    expect(parseTracestate(text) ?? []).toEqual([]);
  expect(parseTraceparent(" ".repeat(1 << 20))).toBeUndefined();
});

test("a tracestate is cut to 512 characters: long members first, then from the right", () => {
  const long = (key: string) => [key, "v".repeat(129 - key.length - 1)] as const; // 129 characters
  const short = (key: string) => [key, "v".repeat(128 - key.length - 1)] as const; // 128 characters
  expect(formatTracestate([short("a"), short("b"), short("c"), ["d", "v".repeat(123)]])).toHaveLength(512);
  expect(keysOf([short("a"), short("b"), short("c"), ["d", "v".repeat(124)]])).toBe("a,b,c");
  expect(keysOf([long("a"), short("b"), short("c"), short("d"), short("e")])).toBe("b,c,d");
  expect(keysOf([long("a"), long("b"), short("c"), short("d"), ["e", "1"]])).toBe("a,c,d,e");
  expect(
    keysOf([
      ["a", "v".repeat(256)],
      ["b", "v".repeat(256)],
    ]),
  ).toBe("a");
  expect(formatTracestate([])).toBe("");
});

function keysOf(members: (readonly [string, string])[]): string {
  const text = formatTracestate(members);
  expect(text.length).toBeLessThanOrEqual(512);
  return parseTracestate(text)!
    .map(([key]) => key)
    .join();
}

test.each([
  [[["A", "1"]]],
  [[["a", ""]]],
  [[["a", "1 "]]],
  [[["a", "1,b=2"]]],
  [[["a", "x\r\ny: z"]]],
  [
    [
      ["a", "1"],
      ["a", "2"],
    ],
  ],
  [["a=1"]],
  [[undefined]],
  ["a=1"],
  [undefined],
  [Array.from({ length: 33 }, (_, i) => [`k${i}`, "1"])],
])("no tracestate is written of %j", (members) => {
  expect(() => formatTracestate(members as never)).toThrow(refused);
});
