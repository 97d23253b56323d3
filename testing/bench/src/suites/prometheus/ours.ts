/** Measures `@moonpack/prometheus` over a store of files. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPrometheus } from "@moonpack/prometheus";
import { openSeries } from "@moonpack/series";
import { type Asked, ask } from "./ask.js";
import { type Data, labelsOf, NAME, queriesOf, scrapes } from "./data.js";

/** The measurements of one side. */
export interface Measured {
  readonly queries: Readonly<Record<string, Asked>>;
  /** The greatest memory of the process, in MB; undefined if it is not known. */
  readonly megabytes?: number;
}

/** Writes the data to a store, opens it again and asks it over HTTP. */
export async function measureOurs(data: Data, rounds: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-bench-prometheus-"));
  try {
    const path = join(folder, "store");
    const writer = await openSeries({ path, now: () => data.end });
    const metrics = Array.from({ length: data.series }, (_, i) => ({ name: NAME, tags: labelsOf(i) }));
    const set = await writer.metricSet(metrics);
    for (const [time, values] of scrapes(data)) await writer.writeScrape(time, set, values);
    await writer.flush();
    await writer.compact();
    await writer.close();
    const series = await openSeries({ path, readOnly: true });
    const server = await createPrometheus(series).listen({ port: 0 });
    const queries: Record<string, Asked> = {};
    for (const query of queriesOf(data)) queries[query.id] = await ask(server.url, query, rounds);
    await server.close();
    await series.close();
    return { queries, megabytes: process.resourceUsage().maxRSS / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
