import type { LoadResult, Summary } from "@moonpack/load";
import { expect, test } from "vitest";
import { metConditions, parseCondition } from "../src/load/fail-if.js";

const times = (factor: number) => ({
  p50: factor,
  p90: 2 * factor,
  p99: 5 * factor,
  p999: 8 * factor,
  max: 9 * factor,
  mean: 1.5 * factor,
});
const summary = {
  operations: 990,
  perSecond: { median: 20_000, low: 1, high: 30_000 },
  response: times(1),
  service: times(0.5),
  late: times(0.1),
  errors: { A: 7, B: 3 },
} as unknown as Summary;
const result = { summary } as LoadResult;
const old = {
  summary: { ...summary, response: times(2), perSecond: { median: 25_000, low: 1, high: 1 } },
} as LoadResult;

test.each([
  ["p99>5ms", false],
  ["p99>=5ms", true],
  ["p99>4999us", true],
  ["p99 > 4999µs", true],
  ["p99>4999999ns", true],
  ["p99<0.0051s", true],
  ["p99<=5 ms", true],
  ["p99.9>7ms", true],
  ["p999>8ms", false],
  ["max<10ms", true],
  ["mean>1.4ms", true],
  ["p90>1m", false],
  ["response.p50>=1ms", true],
  ["service.p50>=1ms", false],
  ["service.p50>=500us", true],
  ["late.max>899us", true],
  ["throughput<20k", false],
  ["throughput<=20000", true],
  ["throughput<20001/s", true],
  ["throughput<0.03m", true],
  ["throughput<21k/s", true],
  ["errors>9", true],
  ["errors>10", false],
  ["errors>=1%", true],
  ["errors>1.01%", false],
  ["p99>50%", false],
  ["p99>=50%", true],
  ["throughput<81%", true],
  ["throughput<80%", false],
])("%s: %j", (text, holds) => {
  expect(metConditions([parseCondition(text)], result, old)).toEqual(holds ? [text] : []);
});

test("what a result does not have fails it", () => {
  const none = { ...result, summary: { ...summary, late: null } } as LoadResult;
  expect(metConditions([parseCondition("late.p99>1h".replace("1h", "60m"))], none, undefined)).toHaveLength(1);
  expect(metConditions([parseCondition("p99>1s")], { ...result, summary: null }, undefined)).toHaveLength(1);
  expect(metConditions([parseCondition("p99>110%")], result, { ...result, summary: null })).toHaveLength(1);
});

test.each([
  ["p99", 0],
  ["p99>", 0],
  ["p99=5ms", 0],
  ["p99>-5ms", 0],
  ["__proto__>5ms", 0],
  ["constructor>5", 0],
  ["  p77>5ms", 2],
  ["p99>5", 5],
  ["p99 > 5 hours", 8],
  ["errors>5s", 8],
])("%s is refused, with the place of what is wrong", (text, place) => {
  expect(() => parseCondition(text)).toThrow(expect.objectContaining({ argument: text, at: place }));
});
