/**
 * Runs every example for Node in the hand-written pages, unchanged, each in a separate process. Its output must be the
 * output that the page states. `scripts/examples.mjs` runs the examples for other runtimes by the same rules.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isWhole } from "@moonpack/harness/effort.ts";
import { examplesFor, promised } from "@moonpack/tools/pages";
import { afterAll, describe, expect, test } from "vitest";

const examples = [...examplesFor("node"), ...examplesFor("commonjs")];
/** In a share every third example of a page runs, the first one included: each is a process. */
const EVERY = isWhole ? 1 : 3;

/** Examples write files, so they run in a temporary folder. A link in it finds the installed packages. */
const folder = mkdtempSync(join(tmpdir(), "moonpack-examples-"));
symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"), "junction");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("there are examples to run", () => {
  expect(examples.filter(({ page }) => page === "README.md")).toHaveLength(3);
  expect(examples.length).toBeGreaterThan(35);
});

for (const page of new Set(examples.map((example) => example.page)))
  describe(page, () => {
    const ofPage = examples.filter((example) => example.page === page);
    for (const { line, code, fence } of ofPage.filter((_, i) => i % EVERY === 0))
      test(`the example at line ${line}`, () => {
        const type = fence === "js commonjs" ? "commonjs" : "module";
        const { status, stdout, stderr } = spawnSync(process.execPath, [`--input-type=${type}`, "-e", code], {
          cwd: folder,
          encoding: "utf8",
          timeout: 60_000,
          env: { ...process.env, NODE_OPTIONS: "" },
        });
        expect(stderr).toBe("");
        expect(status).toBe(0);
        const lines = promised(code);
        if (lines !== null) expect(stdout.trimEnd().split("\n")).toEqual(lines);
      });
  });
