import { readFileSync } from "node:fs";
import type { Workload } from "../types.js";

function file(id: string, title: string, name: string): Workload {
  const url = new URL(`../../../../data/${name}`, import.meta.url);
  return { id, title, values: () => [JSON.parse(readFileSync(url, "utf8"))] };
}

/** Real documents; `data/` describes their origin. */
export const files: Workload[] = [
  file("small-mixed", "small mixed", "small-mixed.json"),
  file("clinical", "clinical record", "clinical.json"),
  file("hn", "Hacker News, 500 stories", "hn-top-stories.json"),
];
