/**
 * Every study runs, and its claims about counted figures hold: on this Node, and in CI on all versions that are
 * studied.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SHARE } from "@moonpack/tools/share";
import { expect, test } from "vitest";
import { STUDIES } from "../../studies/list.mjs";

const MAIN = fileURLToPath(new URL("../../studies/main.mjs", import.meta.url));

// Every second one in a share: they are measured by processes.
for (const name of STUDIES.filter((_, i) => SHARE === 1 || i % 2 === 0))
  test(`study ${name}`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, name, "--smoke"], { encoding: "utf8" });
    expect([status, stdout], stderr).toEqual([0, expect.stringContaining("0 claims broken")]);
  });
