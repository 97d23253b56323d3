/** Schemas of real files: all samples fit the schema that is made of them. */

import { textOf } from "@moonpack/harness/files.ts";
import { infer } from "@moonpack/pck/infer";
import { test } from "vitest";
import { fits } from "./harness/fits.ts";

const FILES = ["aws-ip-ranges.min", "clinical", "google-maps-distance-matrix", "hn-top-stories", "small-mixed"];

test.each(FILES)("of data/%s.json, and each of its parts", (name) => {
  const json = readJson(name);
  for (const samples of [Array.isArray(json) ? json : [json], ...listsIn(json)]) {
    const { document } = infer(samples);
    fits(samples, document);
  }
});

function readJson(name: string): unknown {
  return JSON.parse(textOf(`data/${name}.json`));
}

/** All lists of objects, and all objects, that are somewhere in JSON: each as samples. */
function listsIn(json: unknown): unknown[][] {
  if (typeof json !== "object" || json === null) return [];
  const inner = Object.values(json);
  const isList = Array.isArray(json) && json.length > 0 && json.every((item) => isObject(item));
  const own = isList ? [json] : isObject(json) ? [[json]] : [];
  return [...own, ...inner.slice(0, 20).flatMap(listsIn)];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
