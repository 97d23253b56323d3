/** The README's table of speed names our largest loss, whoever wins it, and rendering changes only its marked places. */
import { expect, test } from "vitest";
import type { RaceResult } from "../../src/race/race.ts";
import { fillReadme } from "../../src/render.ts";
import { readmeSpeed } from "../../src/report/readme.ts";
import { readResult } from "../../src/results.ts";
import type { Operation } from "../../src/types.ts";

const race = readResult<RaceResult>("msgpack")!;

/** The committed result with other speeds: `${operation} ${workload} ${candidate}` to a multiple of msgpackr's. */
function withSpeeds(speeds: Record<string, number>, otherwise: (candidate: string) => number): RaceResult {
  const cells = race.cells.map((cell) => {
    const median = speeds[`${cell.operation} ${cell.workload} ${cell.candidate}`] ?? otherwise(cell.candidate);
    const one = cell.ratios?.msgpackr;
    return one === undefined ? cell : { ...cell, ratios: { ...cell.ratios, msgpackr: { ...one, median } } };
  });
  return { ...race, cells };
}

/** The labels of the table's rows. */
function labels(result: RaceResult): string[] {
  return [...readmeSpeed(result).matchAll(/^\| ((?:decode|encode),.*?) *\|/gm)].map(([, label]) => label!);
}

const ahead = (candidate: string): number => (candidate.startsWith("moonpack") ? 4 : 2);
const usual = ["decode, service messages, 300 B", "encode, service messages, 300 B"];

test("the worst rows name the winner and its lead, also when it has no column", () => {
  const result = withSpeeds(
    {
      "decode cjk-100k json-text": 10,
      "decode clinical msgpackr-records": 8,
      "encode service-100 json-pack": 5,
      "encode service-100 v8": 6,
    },
    ahead,
  );
  expect(labels(result)).toEqual([
    ...usual,
    "decode, CJK 100 KB (our worst: JSON string is 2.50 times as fast)",
    "encode, service messages, 100 B (our worst: v8.serialize is 1.50 times as fast)",
  ]);
  expect(readmeSpeed(result)).toContain("faster in 2 of 126 decoding and 2 of 126 encoding comparisons");
});

test("a direction without a loss has no worst row", () => {
  expect(labels(withSpeeds({ "encode clinical notepack": 4.4 }, ahead))).toEqual([
    ...usual,
    "encode, clinical record (our worst: notepack.io is 1.10 times as fast)",
  ]);
});

test.each<Operation>(["decode", "encode"])("no committed result of %s is worse than its worst row", (operation) => {
  const label = labels(race).find((text) => text.startsWith(operation) && text.includes("our worst"));
  const named = Number(/ is ([\d.]+) times as fast/.exec(label!)![1]);
  const speed = (workload: string, candidate: string): number =>
    race.cells.find(
      (cell) =>
        cell.operation === operation && cell.workload === workload && cell.candidate === candidate && cell.ratios,
    )?.ratios?.msgpackr?.median ?? 0;
  const leads = race.workloads.flatMap(({ id }) =>
    race.candidates.filter(({ ours }) => !ours).map((candidate) => speed(id, candidate.id) / speed(id, "moonpack")),
  );
  expect(named).toBeCloseTo(Math.max(...leads), 2);
});

test("only the marked places of the README change", () => {
  const places = "<!-- generated: speed -->\nold\n<!-- end of generated -->\n";
  const filled = fillReadme(`before\n${places}after\n`, { race });
  expect(filled).toBe(`before\n${places.replace("old", () => readmeSpeed(race))}after\n`);
  expect(fillReadme(filled, { race })).toBe(filled);
  expect(fillReadme("a page", {})).toBe("a page");
  expect(() => fillReadme("a page", { race })).toThrow("a page has no markers for speed");
});
