/**
 * Registers new metrics with long tags in waves, and prints the peak of the memory of this process, in bytes, and how many metrics the store
 * has.
 *
 *     node many-metrics.mjs FOLDER METRICS TAG_BYTES WAVE MAX_HEAD_BYTES
 */
import { files, openSeries } from "@moonpack/series";

const [path, ...numbers] = process.argv.slice(2);
const [metrics, tagBytes, wave, maxHeadBytes] = numbers.map(Number);
const TAGS = 3;

const series = await openSeries({
  path,
  driver: files(),
  maxHeadBytes,
  maxCacheBytes: 8 * 2 ** 20,
  maxCachedMetrics: 10_000,
});
const filler = "x".repeat(Math.max(Math.floor(tagBytes / TAGS) - 12, 0));
let peakRss = 0;
let peakUsed = 0;
let peakHead = 0;

for (let i = 0; i < metrics; i += wave) {
  const points = Array.from({ length: Math.min(wave, metrics - i) }, (_, k) => ({
    metric: {
      name: "m",
      tags: Object.fromEntries(Array.from({ length: TAGS }, (_, tag) => [`tag${tag}`, `${i + k}-${tag}-${filler}`])),
    },
    timestamp: Date.now(),
    value: k,
  }));
  await series.write(points);
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  peakRss = Math.max(peakRss, rss);
  peakUsed = Math.max(peakUsed, heapUsed + arrayBuffers);
  peakHead = Math.max(peakHead, (await series.stats()).headBytes);
}
const found = await series.last({
  name: "m",
  tags: Object.fromEntries(Array.from({ length: TAGS }, (_, tag) => [`tag${tag}`, `0-${tag}-${filler}`])),
});
const { metrics: registered } = await series.stats();
await series.close();
process.stdout.write(JSON.stringify({ peakRss, peakUsed, peakHead, registered, first: found?.value }));
