/**
 * The output of Go's benchmarks is parsed, compared benchmarks take turns, and every bar for Go refers to a number in a
 * table.
 */
import { describe, expect, test } from "vitest";
import { evaluateBars } from "../../src/bars/evaluate.ts";
import { bars } from "../../src/bars/list.ts";
import type { NumbersResult } from "../../src/report/numbers.ts";
import { resultHead } from "../../src/results.ts";
import { type GoRace, runRaces, workloads } from "../../src/suites/go/race.ts";
import { parseSample } from "../../src/suites/go/sample.ts";
import { findGo } from "../../src/suites/go/toolchain.ts";

/** Output of Go 1.26. */
function printedBy(name: string, time: number | string): string {
  const results = `${name}-2  \t 2435704\t        ${time} ns/op\t     94815 message-bytes\t     112 B/op\t       1 allocs/op`;
  return `goos: linux\ngoarch: amd64\npkg: moonpack/bench\ncpu: AMD EPYC\n${results}\nPASS\n`;
}

describe("a sample", () => {
  test("is read from the line of a benchmark", () => {
    const sample = parseSample(printedBy("Benchmark/HackerNews/encode/json", "11.60"));
    expect(sample).toEqual({ time: 11.6, bytes: 112, allocations: 1, message: 94815 });
  });

  test("is of one benchmark, with all its numbers", () => {
    const one = printedBy("Benchmark/Player/encode/json", 1);
    expect(() => parseSample("PASS\n")).toThrow("0 benchmarks instead of one");
    expect(() => parseSample(one + one)).toThrow("2 benchmarks instead of one");
    expect(() => parseSample(one.replace("allocs/op", ""))).toThrow("no allocs/op");
    expect(() => parseSample(printedBy("Benchmark/Player/encode/json", "fast"))).toThrow("no ns/op");
  });
});

/** Time of a call in these tests. */
const TIMES: Readonly<Record<string, number>> = { moonpack: 10, msgp: 10, protobuf: 200, json: 2000 };

async function raced(races: readonly GoRace[], rounds: number) {
  const runs: string[] = [];
  const tables = await runRaces(
    races,
    {
      // Each round is on a slower machine than the one before, which does not affect ratios within a round.
      run: async (path) => {
        const slower = 1 + Math.floor(runs.length / (4 * races.length));
        runs.push(path.join("/"));
        return printedBy(`Benchmark/${path.join("/")}`, TIMES[path.at(-1)!]! * slower);
      },
    },
    { rounds, milliseconds: 1 },
  );
  return { runs, tables };
}

const RACES: readonly GoRace[] = workloads.flatMap((workload) => [
  { workload, operation: "encode" },
  { workload, operation: "decode" },
]);

test("compared benchmarks run one after the other, starting with another one each time", async () => {
  const { runs } = await raced(RACES.slice(0, 1), 2);
  expect(runs.map((path) => path.replace("Player/encode/", ""))).toEqual([
    ...["moonpack", "msgp", "protobuf", "json"],
    ...["msgp", "protobuf", "json", "moonpack"],
  ]);
});

test("ratios are taken within a round, and no codec is compared with itself", async () => {
  const [table] = (await raced(RACES, 3)).tables;
  const [ours, , , json] = table!.rows;
  expect(table!.id).toBe("player-encode");
  expect(ours!.values).toEqual({ time: 20, bytes: 112, allocations: 1, message: 94815 });
  expect(json!.values.speed).toBe(200);
  expect(json!.spreads).toEqual({ speed: [200, 200], time: [3000, 5000] });
});

test("every bar refers to a measured number, and is not met below its limit", async () => {
  const { tables } = await raced(RACES, 1);
  const result: NumbersResult = { ...resultHead("go", true, []), tables };
  const list = bars.filter(({ suite }) => suite === "go");
  const lines = evaluateBars(() => result, list);
  expect(lines).toHaveLength(12);
  expect(lines.every(({ met }) => met)).toBe(true);
  const slower = tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => ({ ...row, values: { ...row.values, speed: 0.99 } })),
  }));
  expect(evaluateBars(() => ({ ...result, tables: slower }), list).some(({ met }) => met)).toBe(false);
});

test("without Go the suite says what it needs", async () => {
  await expect(findGo("no-such-go")).rejects.toThrow(
    new RangeError("the suite go needs Go 1.24 or later in PATH: https://go.dev/dl"),
  );
});
