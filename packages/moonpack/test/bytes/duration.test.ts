/** Durations: numbers and texts with units, and what is neither. */
import { durationMs, durationOption } from "moonpack/bytes";
import { expect, test } from "vitest";

test.each([
  [0, 0],
  [1500, 1500],
  [0.5, 0.5],
  ["250ms", 250],
  ["90s", 90_000],
  ["1.5h", 5_400_000],
  ["0m", 0],
  ["2d", 172_800_000],
  ["1w", 604_800_000],
  ["1e3ms", 1000],
  ["2.5e-1s", 250],
  // Products that are not exact in floating point.
  ["0.07s", 70],
  ["1.1m", 66_000],
  [".5s", 500],
])("%j is %d ms", (value, ms) => {
  expect(durationMs("grace", value)).toBe(ms);
});

test.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY]])("the number %d is refused by its value", (value) => {
  expect(() => durationMs("grace", value)).toThrow(
    expect.objectContaining({
      code: "ERR_INVALID_ARGUMENT",
      message: `grace must be a finite number of milliseconds from 0 up, not ${value}`,
    }),
  );
});

test.each([
  ["90"],
  ["s"],
  [""],
  ["-1s"],
  ["1 s"],
  ["1S"],
  ["1.2.3s"],
  [".s"],
  ["1y"],
  ["1e400s"],
  ["1s\n"],
  [null],
  [undefined],
  [true],
  [new Date(1000)],
  [["1s"]],
  [{}],
])("%j is refused with the forms that are allowed", (value) => {
  expect(() => durationMs("retention", value)).toThrow(
    expect.objectContaining({
      code: "ERR_INVALID_ARGUMENT",
      message: 'retention must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"',
    }),
  );
});

test("an option has a default and bounds", () => {
  expect(durationOption("timeout", undefined, Number.POSITIVE_INFINITY, 1)).toBe(Number.POSITIVE_INFINITY);
  expect(durationOption("timeout", "2s", 0, 1, 2000)).toBe(2000);
  const refused = (message: string) => expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message });
  expect(() => durationOption("timeout", 0, 5, 1)).toThrow(refused("timeout must be at least 1 ms"));
  expect(() => durationOption("timeout", "3s", 5, 1, 2000)).toThrow(refused("timeout must be at most 2000 ms"));
});
