/**
 * The log of a store cut at every byte, and what is there after a loss of power.
 *
 * Power loss is simulated: the log's files forget what was not synced, sector by sector at random, and names in the folder that was not
 * synced; the database keeps a prefix of its batches, at least up to the last synced one. Crashes at every call, and random ones, are in
 * crash-points.node.test.ts and model.test.ts. This does not cover media that lie about what they have, sectors that are half written or
 * damaged by the cut, file systems that reorder a database's own files, and LevelDB's change of log files, after which a synced batch
 * may survive unsynced ones before it. RocksDB's and LevelDB's own recovery is theirs to test.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Series, SeriesOptions } from "@moonpack/series";
import { FailingFileSystem } from "@moonpack/series/test/harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "@moonpack/series/test/harness/forgetful-file-system.ts";
import { randomFrom } from "@moonpack/series/test/reference/vectors/random.ts";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWith } from "../../series/build/open.js";
import { readOptions } from "../../series/build/options.js";
import { KeptMemory } from "./harness/kept-memory.ts";

const NOW = 1_700_000_000_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "moonpack-power-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A log and a database in memory. */
interface Place {
  readonly files: ForgetfulFileSystem;
  readonly databases: KeptMemory;
}

function open({ files, databases }: Place, options: Partial<SeriesOptions> = {}): Promise<Series> {
  const settings = readOptions({ path: folder, driver: databases.driver(), now: () => NOW, ...options });
  return openWith(settings, files);
}

const metric = { name: "m" };
const other = { name: "n", tags: { a: "1" } };

/** All that a store holds, as a text. */
async function contentsOf(series: Series): Promise<string> {
  const lines: string[] = [];
  for await (const { name, id } of series.metrics()) lines.push(`${name} is ${id}`);
  for (const ref of [metric, other])
    for (const { timestamp, value } of await series.query({ metric: ref }).toArray())
      lines.push(`${ref.name} ${timestamp - NOW} ${value}`);
  return lines.join("\n");
}

/** Calls that each append one record, or two: a metric and its point. */
const CALLS: readonly ((series: Series) => Promise<unknown>)[] = [
  (series) => series.metric(metric),
  (series) => series.write([{ metric, timestamp: NOW - 5, value: 1.5 }]),
  (series) => series.write([{ metric, timestamp: NOW - 70_000, value: 2 }]),
  (series) => series.metric(other),
  (series) =>
    series.writeColumn(other, Float64Array.of(NOW - 3, NOW - 2, NOW - 1), Float64Array.of(1, 70_000, Number.NaN)),
  async (series) => series.writeScrape(NOW - 4, await series.metricSet([metric, other]), Float64Array.of(-0, 9)),
  (series) => series.delete({ metric: other, from: NOW - 3, to: NOW - 1 }),
  (series) => series.write([{ metric: other, timestamp: NOW - 2, value: 8 }]),
  (series) => series.delete({ metric }),
  (series) => series.write([{ metric: other, timestamp: NOW, value: 10 }]),
];

describe.each(["sync", "batch"] as const)("durability %s", (durability) => {
  test("a log that is cut at any byte holds the calls before, and is reported", async () => {
    const place = { files: new ForgetfulFileSystem(), databases: new KeptMemory() };
    const empty = place.databases.afterKill();
    const series = await open(place, { durability, syncEvery: "1d" });
    const file = join(folder, "log", "0000000001.log");
    // The length of the log, and the contents, after each call. Deletes are not applied to pages: there are none.
    const steps: { readonly end: number; readonly contents: string }[] = [
      { end: await place.files.size(file), contents: await contentsOf(series) },
    ];
    for (const call of CALLS) {
      await call(series);
      steps.push({ end: await place.files.size(file), contents: await contentsOf(series) });
    }
    const left = place.files.afterKill();
    await series.close();
    const length = await left.size(file);
    expect(length).toBe(steps.at(-1)!.end);
    for (let cut = 0; cut <= length; cut++) {
      // All bytes of the last record, and a share of those before.
      if (cut < steps.at(-2)!.end && cut % Math.ceil(1 / SHARE) !== 0) continue;
      const files = left.afterKill();
      await (await files.open(file)).truncate(cut);
      const reopened = await open({ files, databases: empty.afterKill() }, { durability });
      const step = steps.findLast(({ end }) => end <= cut) ?? steps[0]!;
      // A call's own records may be whole, and a record cut that says what is synced.
      const right = [step.contents, steps[steps.indexOf(step) + 1]?.contents];
      expect(right, `cut at ${cut}`).toContain(await contentsOf(reopened));
      const { tornBytes, skippedBytes } = (await reopened.stats()).recovery;
      expect(tornBytes).toBeLessThanOrEqual(cut < 32 ? cut : cut - step.end);
      if (cut === step.end) expect(tornBytes).toBe(0);
      expect(skippedBytes).toBe(0);
      // The store still works: later writes survive the next crash.
      await reopened.write([{ metric: other, timestamp: NOW - 9, value: 3 }]);
      const contents = await contentsOf(reopened);
      const again = await open({ files: files.afterKill(), databases: empty.afterKill() }, { durability });
      expect(await contentsOf(again)).toBe(contents);
      await reopened.close();
      await again.close();
    }
  });
});

test("durability batch loses nothing that was written before the last sync", async () => {
  const files = new FailingFileSystem(new ForgetfulFileSystem());
  const databases = new KeptMemory();
  const random = randomFrom(5);
  const series = await openWith(
    readOptions({ path: folder, driver: databases.driver(), now: () => NOW, syncEvery: 2 }),
    files,
  );
  let written = 0;
  const write = async () => {
    await series.write([{ metric, timestamp: NOW - 1000 + written, value: written }]);
    written++;
  };
  for (let i = 0; i < 20; i++) {
    for (let n = random(5); n >= 0; n--) await write();
    const before = written;
    files.journal.length = 0;
    while (!files.journal.some((call) => call.startsWith("datasync")))
      await new Promise((resolve) => setTimeout(resolve, 1));
    // The sync itself is over in the next turn.
    await new Promise(setImmediate);
    await write();
    const chance = () => random(1000) / 1000;
    const left = await open({ files: files.inner.afterPowerLoss(chance), databases: databases.afterPowerLoss(chance) });
    const points = await left.query({ metric }).toArray();
    expect(points.length).toBeGreaterThanOrEqual(before);
    expect(points).toEqual(Array.from(points, (_, value) => ({ timestamp: NOW - 1000 + value, value })));
    await left.close();
  }
  await series.close();
});

test.each([
  "flush",
  "close",
] as const)("after %s nothing is lost with the power, whatever the durability", async (call) => {
  for (const durability of ["sync", "batch", "none"] as const) {
    const place = { files: new ForgetfulFileSystem(), databases: new KeptMemory() };
    const series = await open(place, { durability, syncEvery: "1d", maxAhead: "2d" });
    for (const each of CALLS) await each(series);
    // Minutes ahead of the clock too.
    await series.write([{ metric: other, timestamp: NOW + 3_600_000, value: 11 }]);
    const contents = await contentsOf(series);
    await series[call]();
    const left = { files: place.files.afterPowerLoss(), databases: place.databases.afterPowerLoss(() => 0) };
    await series.close();
    const reopened = await open(left, { durability });
    expect(await contentsOf(reopened), durability).toBe(contents);
    await reopened.close();
  }
});
