import fc from "fast-check";
import { durationMs, isoTime } from "moonpack/bytes";
import { expect, test } from "vitest";
import { floatOf, floatText, int64Of } from "../src/series/numbers.js";
import { durationOf, timeArgument, timestampOf, timestampOfNumber } from "../src/series/times.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const time = timeArgument("--from", () => NOW);
const ago = (ms: number) => NOW - ms;

test.each([
  ["now", NOW],
  ["-90s", ago(90_000)],
  ["-1h", ago(3_600_000)],
  ["-90m", ago(5_400_000)],
  ["now-7d", ago(7 * 86_400_000)],
  ["+5m", ago(-300_000)],
  ["-1.5h", ago(5_400_000)],
  ["-9999w", 0],
  ["0", 0],
  ["1769860800", NOW],
  ["1769860800.5", NOW + 500],
  ["1769860800000", NOW],
  ["99999999999", 99_999_999_999_000],
  ["100000000000", 100_000_000_000],
  ["2026-01-31T12:00:00Z", NOW],
  ["2026-01-31T12:00", NOW],
  ["2026-01-31 12:00:00", NOW],
  ["2026-01-31T13:00:00+01:00", NOW],
  ["2026-01-31T06:30:00.000-0530", NOW],
  ["2026-01-31T12:00:00.123456789Z", NOW + 123],
  ["2026-01-31T12:00:00.123456789012Z", NOW + 123],
  // PostgreSQL's form.
  ["2026-01-31 14:00:00.745232+02", NOW + 745],
  ["2026-01-31T09:00-03", NOW],
  ["2026-01-31", Date.parse("2026-01-31T00:00Z")],
  ["2024-02-29", Date.parse("2024-02-29T00:00Z")],
])("the time %s", (text, expected) => {
  expect(time(text)).toBe(expected);
});

test.each([
  "",
  "yesterday",
  "2026-02-30",
  "2026-13-01",
  "2026-01-31T24:00",
  "2026-01-31T12:60",
  "2026-01-31T12:00+24",
  "2026-01-31T12:00+01:60",
  "2026-01-31T12:00+1",
  "-",
  "-1",
  "-1y",
  "1e9",
  "12:00",
  "-0s",
  "-1h30m",
  "8640000000000001",
])("%j is refused", (text) => {
  expect(() => time(text)).toThrow(/^--from must be a time such as /);
});

test("the platform's ISO texts are read exactly, for any date", () => {
  const date = fc.date({ min: new Date("0000-01-01T00:00Z"), max: new Date("9999-12-31T23:59Z"), noInvalidDate: true });
  fc.assert(fc.property(date, (date) => void expect(isoTime(date.toISOString())).toBe(date.getTime())));
});

test("durations have the form of the packages' options", () => {
  for (const text of ["250ms", "2w", "1.5h", "90s", "0.07s", "7d", "1e3ms"])
    expect(durationOf(text), text).toBe(durationMs("window", text));
  for (const text of ["", "0s", "5", "s", "1h30m", "1m30s", "1h 30m", "-1h", "1.2.3s", "9".repeat(30) + "w", "0.1ms"])
    expect(durationOf(text), text).toBeUndefined();
  expect([durationOf("0s", 0), durationOf("0", 0)]).toEqual([0, undefined]);
});

test("timestamps of files are cut to milliseconds without passing through a float", () => {
  expect(timestampOf("1700000000123999999", "ns")).toBe(1_700_000_000_123);
  expect(timestampOf("1700000000123999", "us")).toBe(1_700_000_000_123);
  expect(timestampOf("1700000000.1239", "s")).toBe(1_700_000_000_123);
  expect(timestampOf("1700000000", "s")).toBe(1_700_000_000_000);
  for (const text of ["999999", "99999", "1000", "1"]) expect(timestampOf(text, "ns"), text).toBe(0);
  expect(timestampOf("12", "us")).toBe(0);
  expect(timestampOf("0", "us")).toBe(0);
  expect(timestampOf("2026-01-31T12:00:00Z", "ns")).toBe(NOW);
  expect(timestampOfNumber(1_700_000_000.123, "s")).toBe(1_700_000_000_123);
  expect(timestampOfNumber(1.7e18, "ns")).toBe(1_700_000_000_000);
  expect(() => timestampOfNumber(NaN, "ms")).toThrow("neither a number");
  expect(() => timestampOfNumber(-1, "ms")).toThrow("before 1970");
  fc.assert(
    fc.property(fc.nat(4e12), fc.nat(999_999), (ms, rest) => {
      expect(timestampOf(String(BigInt(ms) * 1_000_000n + BigInt(rest)), "ns")).toBe(ms);
    }),
  );
});

test("floats and integers are read as they are written", () => {
  fc.assert(fc.property(fc.double(), (value) => void expect(floatOf(floatText(value))).toBe(value)));
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const read = int64Of(String(value));
      expect(BigInt(read)).toBe(value);
      expect(typeof read).toBe(Number.isSafeInteger(Number(value)) ? "number" : "bigint");
    }),
  );
  expect(int64Of("+7")).toBe(7);
  expect(Object.is(int64Of("-0"), 0)).toBe(true);
  for (const text of ["1,5", "1 ", "0x10", "1_000", "--1", "e5", ".", "nan1", "in"])
    expect(() => floatOf(text), text).toThrow("not a number");
});
