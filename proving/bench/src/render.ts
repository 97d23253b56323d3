import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fillPlace } from "@moonpack/tools/generated-places";
import { barsPage } from "./bars/page.js";
import type { RaceResult } from "./race/race.js";
import type { NumbersResult } from "./report/numbers.js";
import { readmeSizes, readmeSpeed } from "./report/readme.js";
import { readResult } from "./results.js";
import { suites } from "./suites/index.js";
import { loadCharts } from "./suites/load/chart.js";
import { memoryChart } from "./suites/protobuf/memory-chart.js";

const ROOT = new URL("../../../", import.meta.url);
const FOLDER = "docs/benchmarks/";

/** Renders every page and picture, and the README's tables, from the committed results. Returns content by path. */
export function renderPages(): Map<string, string> {
  const pages = new Map([...renderFolder()].map(([name, content]) => [`${FOLDER}${name}`, content]));
  const readme = readFileSync(new URL("README.md", ROOT), "utf8");
  pages.set("README.md", fillReadme(readme, readResult<RaceResult>("msgpack"), readResult<NumbersResult>("size")));
  return pages;
}

/** The README with its tables of speed and sizes filled in, as far as there are results. */
export function fillReadme(page: string, race: RaceResult | undefined, size: NumbersResult | undefined): string {
  const withSpeed = race === undefined ? page : fillPlace(page, "speed", readmeSpeed(race));
  return size === undefined ? withSpeed : fillPlace(withSpeed, "sizes", readmeSizes(size));
}

/** The files of docs/benchmarks, by name. */
function renderFolder(): Map<string, string> {
  const pages = new Map<string, string>();
  for (const suite of suites) {
    const result = readResult(suite.name);
    if (result !== undefined) pages.set(`${suite.name}.md`, suite.page(result));
  }
  pages.set("bars.md", barsPage(readResult));
  const protobuf = readResult<NumbersResult>("protobuf");
  const chart = protobuf === undefined ? undefined : memoryChart(protobuf);
  if (chart !== undefined) pages.set("protobuf-memory.svg", chart);
  const load = readResult<NumbersResult>("load");
  if (load !== undefined) for (const [name, picture] of loadCharts(load)) pages.set(name, picture);
  return pages;
}

/** Writes the pages. Returns their paths. */
export function writePages(): string[] {
  mkdirSync(new URL(FOLDER, ROOT), { recursive: true });
  const pages = renderPages();
  for (const [path, content] of pages) writeFileSync(new URL(path, ROOT), content);
  return [...pages.keys()];
}

/** Paths of pages on disk that differ from the results. */
export function stalePages(): string[] {
  return [...renderPages()]
    .filter(([path, content]) => {
      const file = new URL(path, ROOT);
      return !existsSync(file) || readFileSync(file, "utf8") !== content;
    })
    .map(([path]) => path);
}
