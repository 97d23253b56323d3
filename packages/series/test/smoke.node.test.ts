/** Ten million points through the whole store: written, sealed, rolled up, opened again and read, each compared. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSeries } from "@moonpack/series";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, expect, test } from "vitest";

const root = mkdtempSync(join(tmpdir(), "moonpack-smoke-"));
afterAll(() => rmSync(root, { recursive: true }));

const METRICS = 2000;
const TICKS = Math.max(400, Math.round(5000 * SHARE));
const EVERY = 3000;
const START = Date.UTC(2023, 10, 14);

/** Differs with the metric and with the time. */
const pointValue = (metric: number, tick: number) => (metric * 31 + tick * 7) % 1001;

test("every point of ten million is there", async () => {
  let time = START;
  const options = { path: join(root, "store"), now: () => time };
  const metrics = Array.from({ length: METRICS }, (_, i) => ({ name: "smoke", tags: { i: String(i) } }));
  {
    const series = await openSeries(options);
    const set = await series.metricSet(metrics);
    const values = new Float64Array(METRICS);
    for (let tick = 0; tick < TICKS; tick++) {
      time = START + tick * EVERY;
      for (let i = 0; i < METRICS; i++) values[i] = pointValue(i, tick);
      expect((await series.writeScrape(time, set, values)).accepted).toBe(METRICS);
    }
    time += 4 * 3_600_000;
    await series.flush();
    await series.compact();
    await series.close();
  }
  const series = await openSeries(options);
  let points = 0;
  let wrong = 0;
  for (const [i, metric] of metrics.entries()) {
    let tick = 0;
    for await (const { length, timestamps, values } of series.query({ metric }).batches())
      for (let k = 0; k < length; k++, tick++)
        if (timestamps[k] !== START + tick * EVERY || values[k] !== pointValue(i, tick)) wrong++;
    points += tick;
  }
  expect({ points, wrong }).toEqual({ points: METRICS * TICKS, wrong: 0 });
  expect(await series.check()).toEqual([]);
  await series.close();
});
