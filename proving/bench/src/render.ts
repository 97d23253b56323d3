import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { barsPage } from "./bars/page.js";
import type { RaceResult } from "./race/race.js";
import type { NumbersResult } from "./report/numbers.js";
import { readmeService, readmeSizes, readmeSpeed } from "./report/readme.js";
import { readResult } from "./results.js";
import { suites } from "./suites/index.js";
import { loadCharts } from "./suites/load/chart.js";
import { memoryChart } from "./suites/protobuf/memory-chart.js";

const PAGES = new URL("../../../docs/benchmarks/", import.meta.url);

/** Renders every page and picture from the committed results. Returns content by file name. */
export function renderPages(): Map<string, string> {
  const pages = new Map<string, string>();
  for (const suite of suites) {
    const result = readResult(suite.name);
    if (result !== undefined) pages.set(`${suite.name}.md`, suite.page(result));
  }
  pages.set("bars.md", barsPage(readResult));
  const race = readResult<RaceResult>("msgpack");
  if (race !== undefined) pages.set("readme-speed.md", readmeSpeed(race));
  const service = readResult<NumbersResult>("service");
  if (service !== undefined) pages.set("readme-service.md", readmeService(service));
  const size = readResult<NumbersResult>("size");
  if (size !== undefined) pages.set("readme-sizes.md", readmeSizes(size));
  const protobuf = readResult<NumbersResult>("protobuf");
  const chart = protobuf === undefined ? undefined : memoryChart(protobuf);
  if (chart !== undefined) pages.set("protobuf-memory.svg", chart);
  const load = readResult<NumbersResult>("load");
  if (load !== undefined) for (const [name, picture] of loadCharts(load)) pages.set(name, picture);
  return pages;
}

/** Writes the pages. */
export function writePages(): string[] {
  mkdirSync(PAGES, { recursive: true });
  const pages = renderPages();
  for (const [name, content] of pages) writeFileSync(new URL(name, PAGES), content);
  return [...pages.keys()];
}

/** Names of pages on disk that differ from the results. */
export function stalePages(): string[] {
  return [...renderPages()]
    .filter(([name, content]) => {
      const file = new URL(name, PAGES);
      return !existsSync(file) || readFileSync(file, "utf8") !== content;
    })
    .map(([name]) => name);
}
