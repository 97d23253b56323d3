/** Windows in a time zone, in both orders: a store in a database has the rows of one in memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memory, openSeries, type Series } from "@moonpack/series";
import { classicLevel, rocksdb } from "@moonpack/series-kv";
import { expect, test } from "vitest";

const HOUR = 3_600_000;
const NOW = Date.UTC(2024, 3, 3);
const metric = { name: "load" };
const now = () => NOW;

async function fill(series: Series): Promise<void> {
  const times = Float64Array.from({ length: 500 }, (_, i) => NOW - 96 * HOUR + i * 660_000).filter(
    (_, i) => i % 90 > 20,
  );
  await series.writeColumn(metric, times, times.map(Math.sin));
  await series.flush();
  await series.writeColumn(metric, Float64Array.of(NOW - HOUR / 4), Float64Array.of(5));
}

test.each([
  ["rocksdb", rocksdb],
  ["classicLevel", classicLevel],
])("%s", async (_, driver) => {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-kv-windows-"));
  const series = await openSeries({ path: join(folder, "store"), driver: driver(), now });
  const plain = await openSeries({ driver: memory(), now });
  await fill(series);
  await fill(plain);
  const query = { metric, timeZone: "Europe/Berlin", aggregate: ["avg", "count", "rate", "p90"] } as const;
  for (const window of ["1h", "1d", "1w", "1mo"] as const)
    for (const fill of ["none", "previous", "linear"] as const) {
      const rows = await plain.query({ ...query, window, fill, from: "2024-03-29" }).toArray();
      expect(await series.query({ ...query, window, fill, from: "2024-03-29" }).toArray()).toEqual(rows);
      const reversed = series.query({ ...query, window, fill, from: "2024-03-29", reverse: true, limit: 30 });
      expect(await reversed.toArray()).toEqual(rows.reverse().slice(0, 30));
    }
  await series.close();
  await plain.close();
  rmSync(folder, { recursive: true });
});
