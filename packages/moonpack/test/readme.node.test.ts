/**
 * Every example in the hand-written pages that Node can run runs as it stands, in a process of its own, and prints what the
 * page says it prints. Those of other runtimes are run by `scripts/examples.mjs`, by the same rules.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { examplesFor, promised } from "../../../scripts/pages.mjs";

const examples = examplesFor("node");

/** Examples write files: they run in a folder of their own, which finds the packages that the repository has installed. */
const folder = mkdtempSync(join(tmpdir(), "moonpack-examples-"));
symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"), "junction");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("there are examples to run", () => {
  expect(examples.filter(({ page }) => page === "README.md").length).toBeGreaterThan(5);
});

for (const page of new Set(examples.map((example) => example.page)))
  describe(page, () => {
    for (const { line, code } of examples.filter((example) => example.page === page))
      test(`the example at line ${line}`, () => {
        const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
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
