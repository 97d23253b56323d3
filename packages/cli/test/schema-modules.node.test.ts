/** Schema modules beside another copy of moonpack, and without any: the CLI gives all of them its own. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fingerprint, ivar, schema } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { moonpack } from "./run.js";
import { folderWith } from "./schemas.js";

const expected = `${Buffer.from(fingerprint(schema("Point", ivar("x"), ivar("y")))).toString("hex")}\n`;
const IMPORTED = `import { ivar, schema } from "@moonpack/pck"; export default schema("Point", ivar("x"), ivar("y"));`;
const REQUIRED = `const { ivar, schema } = require("@moonpack/pck"); module.exports = schema("Point", ivar("x"), ivar("y"));`;
const MISSING = 'require("not-installed");';
const FILES = {
  "imports.ts": IMPORTED,
  "imports.mts": IMPORTED,
  "imports.mjs": IMPORTED,
  "imports.cts": IMPORTED,
  "imports.js": IMPORTED,
  "modules/package.json": '{ "type": "module" }',
  "modules/imports.js": IMPORTED,
  "requires.cjs": REQUIRED,
  "requires.js": REQUIRED,
  "equals.cts": `import pck = require("@moonpack/pck"); export = pck.schema("Point", pck.ivar("x"), pck.ivar("y"));`,
  "requires-cjs.ts": `const Point = require("./requires.cjs"); export default Point;`,
  "imports-cjs.mjs": `import Point from "./requires.cjs"; export default Point;`,
  "imports-cjs.ts": `import Point from "./requires.cjs"; export default Point;`,
  "missing.cjs": MISSING,
  "imports-missing.mjs": `import Point from "./missing.cjs"; export default Point;`,
};
const far = folderWith(FILES);
const near = folderWith(FILES);
const moonpackFolder = fileURLToPath(new URL("../../moonpack/", import.meta.url));
for (const path of ["dist", "package.json"])
  cpSync(join(moonpackFolder, path), join(near, "node_modules/moonpack", path), { recursive: true });

describe.each([
  ["beside a copy of moonpack", near],
  ["far from moonpack", far],
])("%s", (_, cwd) => {
  test.each(
    rows(Object.keys(FILES).filter((name) => !/missing|json$/.test(name))),
  )("%s creates a schema of the CLI's own moonpack", async (name) => {
    const { code, stdout, stderr } = await moonpack(["fingerprint", name], { cwd });
    expect([code, stdout.toString(), stderr]).toEqual([0, expected, ""]);
  });

  test("both schemas of a comparison", async () => {
    const { code, stderr } = await moonpack(["compare", "imports.mjs", "imports-cjs.mjs"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a missing package in an imported file is reported without a stack", async () => {
    const { code, stdout, stderr } = await moonpack(["fingerprint", "imports-missing.mjs"], { cwd });
    expect([code, stdout.toString()]).toEqual([1, ""]);
    expect(stderr).toMatch(/^moonpack: cannot load .*imports-missing\.mjs: Cannot find module 'not-installed'/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
