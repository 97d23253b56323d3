/** `moonpack series list`, and the counts of `moonpack series stats`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { emptyFolder, moonpack } from "./run.js";

const cwd = emptyFolder();
/** A time in the middle of a day, so that the first and the last window are not whole. */
const START = Date.UTC(2026, 0, 31, 12, 34, 56, 789);
const MINUTE = 60_000;

async function series(...args: string[]) {
  const { code, stdout, stderr } = await moonpack(["series", ...args], { cwd });
  return { code, text: stdout.toString(), stderr };
}

beforeAll(async () => {
  const lines: string[] = [];
  const add = (name: string, tags: object, timestamp: number, value: number | string) =>
    lines.push(`${JSON.stringify({ name, tags, timestamp, value })}\n`);
  for (let i = 0; i < 3000; i++) add("cpu.load", { host: "a1" }, START + i * MINUTE, i);
  for (let i = 0; i < 10; i++) add("cpu.load", { host: "b2" }, START + i, 0.5);
  add("requests", {}, START - 10 * 24 * 60 * MINUTE, "7");
  writeFileSync(join(cwd, "points.ndjson"), lines.join(""));
  expect((await series("import", "metrics", "points.ndjson")).code).toBe(0);
});

const at = (time: number) => new Date(time).toISOString();

describe("list", () => {
  test("a table: metric, type, points, first and last time", async () => {
    const { code, text } = await series("list", "metrics");
    expect(code).toBe(0);
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]!.split(/ {2,}/)).toEqual(["metric", "type", "points", "first", "last"]);
    expect(lines.slice(1).map((line) => line.split(/ {2,}/))).toEqual([
      ['cpu.load{host="a1"}', "float", "3,000", at(START), at(START + 2999 * MINUTE)],
      ['cpu.load{host="b2"}', "float", "10", at(START), at(START + 9)],
      ["requests", "int64", "1", ...Array(2).fill(at(START - 10 * 24 * 60 * MINUTE))],
    ]);
  });

  test("JSON lines, filters and a limit", async () => {
    const { text } = await series("list", "metrics", '{host="b2"}', "--json");
    expect(JSON.parse(text)).toEqual({
      name: "cpu.load",
      tags: { host: "b2" },
      type: "float",
      points: 10,
      first: START,
      last: START + 9,
    });
    const all = await series("list", "metrics", "--json");
    expect(all.text.trimEnd().split("\n")).toHaveLength(3);
    const cut = await series("list", "metrics", "cpu.load", "--limit", "1");
    expect(cut.text).toContain(".. 1 more; use --limit N, or --json for all\n");
    expect(cut.text).not.toContain("b2");
  });

  test("no match names a metric; a selector with a mistake, a folder and a file", async () => {
    expect(await series("list", "metrics", "memory")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no metric matches memory; the store has, for example, cpu.load{host="a1"}'),
    });
    expect((await series("list", "metrics", "{host=a1}")).code).toBe(2);
    expect((await series("list", "none")).stderr).toContain("no such folder");
    expect((await series("list", ".")).stderr).toContain("the folder does not contain a store");
    expect((await series("list", "points.ndjson")).stderr).toContain("it is a file, not a folder");
  });

  test("an empty store", async () => {
    writeFileSync(join(cwd, "empty.ndjson"), "");
    await series("import", "empty", "empty.ndjson");
    expect(await series("list", "empty")).toMatchObject({ code: 0, text: "no metrics\n" });
    expect((await series("stats", "empty")).text).toMatch(/^points +0\nfirst point +none\nlast point +none$/m);
  });
});

test("stats: the points of all metrics, and their first and last time", async () => {
  const { text } = await series("stats", "metrics");
  expect(text).toMatch(/^points +3,011$/m);
  expect(text).toMatch(new RegExp(`^first point +${at(START - 10 * 24 * 60 * MINUTE)}$`, "m"));
  expect(text).toMatch(new RegExp(`^last point +${at(START + 2999 * MINUTE)}$`, "m"));
  const { stored } = JSON.parse((await series("stats", "metrics", "--json")).text);
  expect(stored).toEqual({
    points: 3011,
    first: START - 10 * 24 * 60 * MINUTE,
    last: START + 2999 * MINUTE,
  });
});

test("points older than what is written are explained, without a word of the engine", async () => {
  await series("import", "late", "points.ndjson");
  const { text } = await series("import", "late", "points.ndjson");
  expect(text).not.toMatch(/\blate\b.*merged|sealed/);
});

test("a store is not created among other files", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "thesis.txt"), "text");
  writeFileSync(join(folder, "p.ndjson"), '{"name":"m","tags":{},"timestamp":1,"value":1}\n');
  const { code, stderr } = await moonpack(["series", "import", ".", "p.ndjson"], { cwd: folder });
  expect([code, stderr]).toEqual([1, expect.stringContaining("it contains files that are not a store")]);
  const load = await moonpack(["load", "series:.", "-a", "5", "--scenario", "set", "--warmup", "0"], { cwd: folder });
  expect([load.code, load.stderr]).toEqual([1, expect.stringContaining("not a store")]);
});

test("export refuses an extension that it does not know", async () => {
  const { code, stderr } = await series("export", "metrics", "--out", "points.xml");
  expect([code, stderr]).toEqual([2, expect.stringContaining("points.xml is unknown (known extensions: .ndjson")]);
});
