/** The runtime beside a file with regions: in the file's own package, whatever names the file uses. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { emptyFolder, moonpack } from "./run.js";
import { folderWith } from "./schemas.js";

const cwd = folderWith({
  "sized.ts": `import { schema, u8 } from "@moonpack/pck"; export default schema("Sized", u8("size"));`,
});
const REGIONS = ["imports", "struct", "methods"]
  .map((type) => `// pck:emit("${type}"${type === "imports" ? "" : ', "Sized"'})\n// pck:end\n\n`)
  .join("");
const NAMES = '// pck:assign({"names": {"Sized.size": "Bytes"}})\n\n';

async function inFolder(name: string, text: string) {
  const folder = emptyFolder();
  writeFileSync(join(folder, name), text);
  const run = await moonpack(["emit", "sized.ts", "--region", join(folder, name), "--runtime", "beside"], { cwd });
  return { code: run.code, said: run.stderr, files: readdirSync(folder).sort(), folder };
}

test("go: names in the file need no --names", async () => {
  const { folder, ...rest } = await inFolder("sized.go", `package game\n\n${NAMES}${REGIONS}`);
  expect(rest).toEqual({ code: 0, said: "", files: ["pck_runtime.go", "sized.go"] });
  expect(readFileSync(join(folder, "sized.go"), "utf8")).toContain("\tBytes uint8");
});

test.each(
  rows([
    "/*\npackage old is gone\n*/\npackage game\n\n",
    "// Package game is kept by hand.\n\n/* one */ /* two */ package game // here\n\n",
    "\ufeffpackage /* of the game */ game\r\n\r\n",
  ]),
)("go: the package of the runtime is the file's: %j", async (head) => {
  const { code, said, folder } = await inFolder("a.go", `${head}${NAMES}${REGIONS}`);
  expect([code, said]).toEqual([0, ""]);
  expect(readFileSync(join(folder, "pck_runtime.go"), "utf8")).toContain("\npackage game\n");
});

test("go: a package clause in a comment does not count", async () => {
  const { code, said } = await inFolder("a.go", `/*\npackage game\n*/\n${REGIONS}`);
  expect([code, said]).toEqual([1, expect.stringContaining("a Go file must begin with its package clause")]);
});
