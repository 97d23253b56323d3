/** `moonpack series stats` and `moonpack series check`. */
import type { Damage, Series, SeriesStats } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import pc from "picocolors";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { printableJson } from "../shared/printable.js";
import { grouped, renderTable } from "../shared/table.js";
import { type Extent, extentOf } from "./extents.js";
import { type DriverName, withSeries } from "./store.js";
import { isoText } from "./times.js";

/** Options of both commands, as the command line gives them. */
export interface StatsOptions {
  readonly json: boolean;
  readonly driver?: DriverName;
}

/** Prints figures of a store. `check` also reads every page; exit code 1 if one is damaged. */
export async function printStats(path: string, options: StatsOptions & { readonly check: boolean }): Promise<void> {
  await withStore(path, options, async (series) => {
    const stats = await series.stats();
    const extent = await readableExtent(series);
    const damage = options.check ? await series.check() : undefined;
    if (options.json) {
      await print(
        jsonLine({
          ...stats,
          stored: extent ?? null,
          ...(damage === undefined ? {} : { damage: damage.map(damageJson) }),
        }),
      );
    } else await print(statsTable(stats, extent) + (damage === undefined ? "" : `\n${damageTable(damage)}`));
    if (damage !== undefined && damage.length > 0) process.exitCode = 1;
  });
}

/** Reads every page and index entry, and prints the damaged ones. Exit code 1 if there are any. */
export async function printCheck(path: string, options: StatsOptions): Promise<void> {
  await withStore(path, options, async (series) => {
    const damage = await series.check();
    await print(options.json ? damage.map((one) => jsonLine(damageJson(one))).join("") : damageTable(damage));
    if (damage.length > 0) process.exitCode = 1;
  });
}

function withStore(path: string, { driver }: StatsOptions, act: (series: Series) => Promise<void>): Promise<void> {
  return withSeries({ path: userPath(path), driver }, { readOnly: true }, act);
}

async function print(text: string): Promise<void> {
  const output = Output.open("-");
  output.writeText(text);
  await output.finish();
}

function jsonLine(value: object): string {
  return `${printableJson(JSON.stringify(value))}\n`;
}

const MB = 1e6;

/** Bytes, with their size in MB when that is easier to read. */
function bytes(count: number): string {
  return count < MB ? `${grouped(count)} bytes` : `${grouped(count)} bytes (${(count / MB).toFixed(1)} MB)`;
}

/** Returns the extent of all metrics; undefined if a damaged page is in the way. */
async function readableExtent(series: Series): Promise<Extent | undefined> {
  try {
    return await extentOf(series);
  } catch (error) {
    if (error instanceof MoonpackError) return undefined;
    throw error;
  }
}

function extentRows(extent: Extent | undefined): [string, string][] {
  if (extent === undefined) return [["points", "not known: a page is damaged, see moonpack series check"]];
  const { points, first, last } = extent;
  const times = Object.entries({ "first point": first, "last point": last });
  return [
    ["points", grouped(points)],
    ...times.map(([title, time]): [string, string] => [title, time === undefined ? "none" : isoText(time)]),
  ];
}

function statsTable(stats: SeriesStats, extent: Extent | undefined): string {
  const { recovery } = stats;
  const rows: [string, string][] = [
    ["metrics", grouped(stats.metrics)],
    ...extentRows(extent),
    ["sealed points", bytes(stats.diskBytes)],
    ["log", bytes(stats.logBytes)],
    ["points only in the log", grouped(stats.headPoints)],
    ["sealed until", stats.sealedUntil === undefined ? "nothing is sealed yet" : isoText(stats.sealedUntil)],
    ["log files read", `${grouped(recovery.files)}, ${grouped(recovery.records)} records`],
  ];
  if (recovery.tornBytes > 0) rows.push(["unfinished record at the log's end", bytes(recovery.tornBytes)]);
  if (recovery.skippedBytes > 0) rows.push(["damaged bytes in the log", bytes(recovery.skippedBytes)]);
  if (stats.corrupt > 0) rows.push(["damaged pages met", grouped(stats.corrupt)]);
  return `${renderTable([{ title: "figure" }, { title: "value" }], rows)}\n`;
}

function damageTable(damage: readonly Damage[]): string {
  if (damage.length === 0) return pc.green("no damage: every page and index entry can be read\n");
  const rows = damage.map(({ column, key, message }) => [column, keyText(column, key), message]);
  const count = damage.length === 1 ? "1 entry is damaged" : `${grouped(damage.length)} entries are damaged`;
  return `${renderTable([{ title: "column" }, { title: "key or file" }, { title: "problem" }], rows)}\n\n${pc.red(count)}\n`;
}

function damageJson({ column, key, message }: Damage): object {
  return { column, key: keyText(column, key), message };
}

/** The name of a damaged file, or the key of a damaged entry in hexadecimal. */
function keyText(column: string, key: Uint8Array): string {
  return Buffer.from(key).toString(column === "blocks" || column === "names" ? "utf8" : "hex");
}
