/** Ratios are taken over groups in which no candidate was interrupted, and latencies survive the way to the runner. */
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { describe, expect, test } from "vitest";
import { type GroupTimes, interruptedShare, speedOf } from "../../../src/suites/service/figures.ts";
import { latenciesOf, latencyHistogram } from "../../../src/suites/service/latencies.ts";
import { spreadOf } from "../../../src/suites/service/parts/part.ts";
import { GROUP } from "../../../src/suites/service/sequence.ts";

const RANGE = { from: GROUP, to: 5 * GROUP };

function times(micros: readonly number[], interrupted: readonly number[] = []): GroupTimes {
  return { micros, interrupted };
}

describe("groups", () => {
  test("only groups of the section count", () => {
    const [ours, other] = [times([900, 10, 10, 10, 10, 900]), times([1, 20, 20, 20, 20, 1])];
    expect(speedOf(ours, other, RANGE)).toBe(2);
  });

  test("one in which either was interrupted does not count for both", () => {
    const ours = times([0, 10, 5000, 10, 30], [2]);
    const other = times([0, 20, 20, 7000, 60], [3]);
    expect(speedOf(ours, other, RANGE)).toBe(2);
    expect(interruptedShare(ours)).toBe(0.2);
  });

  test("all count if nearly all were interrupted", () => {
    const ours = times([0, 10, 10, 10, 10], [1, 2, 3, 4]);
    expect(speedOf(ours, times([0, 30, 30, 30, 30]), RANGE)).toBe(3);
  });

  test("a long message counts as much as it takes", () => {
    expect(speedOf(times([0, 10, 10, 10, 970]), times([0, 20, 20, 20, 940]), RANGE)).toBe(1);
  });
});

test("processes give a median and their extremes, a single one only its value", () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
  expect(spreadOf([4])).toBe(4);
});

test("latencies are in microseconds", () => {
  const histogram = latencyHistogram();
  for (let i = 1; i <= 1000; i++) histogram.recordValue(i * 1000);
  const { p50, p99, max } = latenciesOf(encodeIntoCompressedBase64(histogram));
  expect(p50).toBeCloseTo(500, -1);
  expect(p99).toBeCloseTo(990, -1);
  expect(max / 1000).toBeCloseTo(1, 2);
});
