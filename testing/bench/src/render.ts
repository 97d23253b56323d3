import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fillPlace } from "@moonpack/tools/generated-places";
import type { NumbersResult } from "./report/numbers.js";
import { pickTable } from "./report/pick-table.js";
import { readmeCosts } from "./report/readme.js";
import { readResult } from "./results.js";
import { suites } from "./suites/index.js";
import { memoryChart } from "./suites/protobuf/memory-chart.js";

const ROOT = new URL("../../../", import.meta.url);
const FOLDER = "docs/benchmarks/";
const MSGPACK_PAGE = "docs/msgpack.md";

/** Renders every page and picture, and the tables of other pages, from the committed results. Returns content by path. */
export function renderPages(): Map<string, string> {
  const pages = new Map([...renderFolder()].map(([name, content]) => [`${FOLDER}${name}`, content]));
  const readme = readFileSync(new URL("README.md", ROOT), "utf8");
  const service = readResult<NumbersResult>("service");
  const size = readResult<NumbersResult>("size");
  const pick = readResult<NumbersResult>("pick");
  const msgpack = readFileSync(new URL(MSGPACK_PAGE, ROOT), "utf8");
  if (pick !== undefined) pages.set(MSGPACK_PAGE, fillPlace(msgpack, "pick", pickTable(pick)));
  if (service !== undefined && size !== undefined)
    pages.set("README.md", fillPlace(readme, "costs", readmeCosts(service, size)));
  return pages;
}

/** The files of docs/benchmarks, by name. */
function renderFolder(): Map<string, string> {
  const pages = new Map<string, string>();
  for (const suite of suites) {
    const result = readResult(suite.name);
    if (result !== undefined) pages.set(`${suite.name}.md`, suite.page(result));
  }
  const protobuf = readResult<NumbersResult>("protobuf");
  const chart = protobuf === undefined ? undefined : memoryChart(protobuf);
  if (chart !== undefined) pages.set("protobuf-memory.svg", chart);
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
