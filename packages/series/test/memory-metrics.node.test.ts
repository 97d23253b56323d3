/**
 * Metrics that no round has written count towards `maxHeadBytes`: writers wait for rounds, and memory stays bounded however many metrics are
 * registered. `MOONPACK_METRICS=1500000` runs the full size.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { files, memory } from "../build/drivers/files.js";
import { nodeStoreFileSystem } from "../build/file-system/store-file-system.js";
import { openSeries } from "../build/index.js";
import { readManifest } from "../build/manifest/manifest-files.js";

const MIB = 2 ** 20;
const METRICS = Number(process.env.MOONPACK_METRICS ?? 40_000);
const MAX_HEAD_BYTES = (METRICS < 1_000_000 ? 16 : 64) * MIB;
/** As in the program: `maxCacheBytes`, and `maxCachedMetrics` of 1 KiB. */
const CACHES = 8 * MIB + 10_000 * 1024;
/** The memory that docs/series.md states: Node itself, garbage, and the sorting of a round. */
const CONSTANT = 160 * MIB;
/** The names of all metrics have a directory in memory. */
const PER_METRIC = 16;

const folder = mkdtempSync(join(tmpdir(), "moonpack-metrics-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("new metrics with 3 KB of tags stay within maxHeadBytes, the caches and a constant", {
  timeout: 7_200_000,
}, async () => {
  const wave = 500;
  const program = join(import.meta.dirname, "programs/many-metrics.mjs");
  const args = [join(folder, "store"), METRICS, 3000, wave, MAX_HEAD_BYTES].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, ["--max-old-space-size=256", program, ...args]);
  const { peakRss, peakUsed, peakHead, registered, first } = JSON.parse(stdout);
  if (process.env.MOONPACK_METRICS !== undefined) console.log(stdout);
  expect(registered).toBe(METRICS);
  expect(first).toBe(0);
  // A call may take the memory of its metrics above the limit.
  expect(peakHead).toBeLessThan(MAX_HEAD_BYTES + wave * 7000);
  expect(peakUsed).toBeLessThan(MAX_HEAD_BYTES + CACHES + 80 * MIB + METRICS * PER_METRIC);
  expect(peakRss).toBeLessThan(MAX_HEAD_BYTES + CACHES + CONSTANT + METRICS * PER_METRIC);
});

test.each([
  ["files", () => ({ driver: files(), path: join(folder, "waiting") })],
  ["memory", () => ({ driver: memory() })],
])("%s: metrics that are registered without points wait for room, too", async (_, place) => {
  const maxHeadBytes = 65_536;
  const series = await openSeries({ ...place(), maxHeadBytes });
  const tags = (i: number) => ({ host: `h${i}`, filler: "x".repeat(500) });
  let most = 0;
  const look = setInterval(async () => {
    most = Math.max(most, (await series.stats()).headBytes);
  }, 1);
  // One call has more metrics than memory has room.
  const set = await series.metricSet(Array.from({ length: 3000 }, (_, i) => ({ name: "set", tags: tags(i) })));
  for (let i = 0; i < 300; i++) most = Math.max(most, await registered(i));
  clearInterval(look);
  expect(set.size).toBe(3000);
  expect((await series.stats()).metrics).toBe(3300);
  // A slice of 512 metrics, and a round's names that are being written.
  expect(most).toBeGreaterThan(maxHeadBytes / 2);
  expect(most).toBeLessThan(maxHeadBytes + 512 * 2000);
  await series.close();

  async function registered(i: number): Promise<number> {
    await series.metric({ name: "one", tags: tags(i) });
    return (await series.stats()).headBytes;
  }
});

test("the directory of names, which is in memory, does not grow with the length of tags", async () => {
  const path = join(folder, "directory");
  const series = await openSeries({ path, driver: files(), maxCachedMetrics: 1 });
  const N = 1000;
  const tag = (i: number) => `${i}-${"x".repeat(1000)}`;
  const metric = (i: number) => ({ name: "m", tags: { a: tag(i), b: tag(i + 1) } });
  await series.metricSet(Array.from({ length: N }, (_, i) => metric(i)));
  await series.flush();
  const { names } = (await readManifest(nodeStoreFileSystem(), path))!;
  expect(names.length).toBe(1);
  expect(names[0]!.metrics).toBe(N);
  // 16 pages of forms and 32 of tags.
  expect(names[0]!.footer.length).toBeLessThan(48 * 24);
  for (let i = 0; i < N; i += 7) expect((await series.metric(metric(i))).id).toBe(i);
  const found: number[] = [];
  for await (const { id } of series.metrics({ tags: { b: tag(500) } })) found.push(id);
  expect(found).toEqual([499]);
  expect((await series.tagValues("a")).length).toBe(N);
  expect((await series.stats()).metrics).toBe(N);
  await series.close();
});
