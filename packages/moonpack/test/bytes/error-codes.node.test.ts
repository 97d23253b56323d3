/** The type of codes accepts any text. So this test finds codes of our packages that docs/errors.md does not explain. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const codesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, code]) => code!);

/** Codes that packages compare with: codes of Node's errors. The others are rows in the reports of @moonpack/load. */
const NOT_THROWN = [
  ...["ERR_MODULE_NOT_FOUND", "ERR_STREAM_DESTROYED", "ERR_WORKER_OUT_OF_MEMORY"],
  ...["ERR_NOT_STARTED", "ERR_UNFINISHED"],
];

test("docs/errors.md explains every code in the sources", () => {
  const explained = new Set(codesIn(read("docs/errors.md"), /^\| `(ERR_\w+)`/gm));
  const folders = readdirSync(new URL("packages/", ROOT)).map((name) => `packages/${name}/src/`);
  const sources = folders.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => folder + path),
  );
  const used = new Set(sources.flatMap((path) => codesIn(read(path), /"(ERR_[A-Z0-9_]+)"/g)));
  expect(used.size).toBeGreaterThan(40);
  expect([...used].filter((code) => !explained.has(code)).sort()).toEqual(NOT_THROWN.sort());
});
