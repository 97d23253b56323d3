import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MetricHandle, openSeries, SERIES_ERROR_CODES, type Series, SeriesError } from "@moonpack/series";

async function main(): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), "series-user-"));
  const series: Series = await openSeries({ path, now: () => 1_700_000_000_000 });
  const load: MetricHandle = await series.metric({ name: "cpu.load", tags: { host: "a1" } });
  const timestamp = 1_699_999_980_000;
  const { accepted } = await series.write([
    { metric: load, timestamp, value: 0.25 },
    { metric: load, timestamp: timestamp + 1000, value: 0.75 },
  ]);
  console.log(accepted); // 2
  await series.flush();
  for await (const { avg } of series.query({ metric: load, window: "1m", aggregate: ["avg"] })) console.log(avg); // 0.5
  for await (const { metric, points } of series.select({ tags: { host: /a\d/ } }))
    console.log(metric.name, (await points.toArray()).length); // cpu.load 2

  const error: unknown = await openSeries({ path }).catch((reason: unknown) => reason);
  console.log(error instanceof SeriesError && error.code); // ERR_SERIES_LOCKED
  console.log(SERIES_ERROR_CODES.ERR_SERIES_FULL); // no space is left for the store
  await series.close();
  rmSync(path, { recursive: true });
}
main().catch((error: unknown) => console.log(String(error)));
