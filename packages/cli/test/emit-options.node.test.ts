/** Options of `moonpack emit` that change the generated code, and combinations that are errors. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { emptyFolder, moonpack } from "./run.js";
import { folderWith } from "./schemas.js";

const cwd = folderWith({
  "all.ts": `
    import { array, bytes, F64, map, schema, U8, u64, UTF8, utf8 } from "@moonpack/pck";
    export default schema("All", u64("n"), map("m", UTF8, U8), array("l", F64), bytes("b"), utf8("t"));`,
  "twice.ts": `
    import { ref, schema, u8 } from "@moonpack/pck";
    const inner = (name) => schema("Inner", u8(name));
    export default schema("Outer", ref("a", inner("x")), ref("b", inner("y")));`,
  "renamed.ts": `
    import { toDocument } from "@moonpack/pck";
    import twice from "./twice.js";
    export default toDocument(twice);`,
  "classes.ts": '// pck:emit("imports")\n// pck:end\n// pck:emit("class", "All")\n// pck:end\n',
  "all.go":
    'package game\n\n// pck:emit("imports")\n// pck:end\n\n// pck:emit("struct", "All")\n// pck:end\n\n// pck:emit("methods", "All")\n// pck:end\n',
});
const GO = ["--target", "go", "--package", "game"];
const NAMES = { ts: "all.ts", js: "all.d.ts", go: "pck.go" };

async function run(...args: string[]) {
  const { code, stdout, stderr } = await moonpack(["emit", ...args], { cwd });
  return { code, out: stdout.toString(), said: stderr };
}

async function emitted(target: keyof typeof NAMES, ...args: string[]): Promise<string> {
  const out = emptyFolder();
  const language = target === "go" ? GO : ["--target", target];
  expect(await run("all.ts", ...language, "--out", out, ...args)).toMatchObject({ code: 0, said: "" });
  return readFileSync(join(out, NAMES[target]), "utf8");
}

describe("options of a language", () => {
  test("go: strings, and memory", async () => {
    const text = await emitted("go");
    expect(text).toContain("room := pckRoomFor(b)");
    expect(await emitted("go", "--max-elements", "1000")).toContain("room := int64(32000)");
    expect(await emitted("go", "--max-elements", "Infinity")).not.toContain("room");
    expect(await emitted("go", "--strings", "copy")).toBe(text);
    expect(await emitted("go", "--strings", "view")).not.toBe(text);
  });

  test("ts and js: types of decoded values, and depth", async () => {
    const options = ["--int64", "number", "--maps", "object", "--typed-arrays"];
    for (const target of ["ts", "js"] as const) {
      expect(await emitted(target)).toMatch(/n: bigint;\n {2}m: Map<string, number>;\n {2}l: number\[\];/);
      const text = await emitted(target, ...options);
      expect(text).toMatch(/n: number;\n {2}m: \{ \[name: string\]: number \};\n {2}l: Float64Array<ArrayBuffer>;/);
    }
    const text = await emitted("ts", "--binary", "view", "--max-depth", "7");
    expect(text).toMatch(/new PackMessages\(7\)/);
    expect(text).not.toBe(await emitted("ts", "--max-depth", "7"));
  });

  test("of regions, too", async () => {
    const region = async (file: string, ...args: string[]) => {
      const path = join(emptyFolder(), file);
      writeFileSync(path, readFileSync(join(cwd, file)));
      expect(await run("all.ts", "--region", path, ...args)).toMatchObject({ code: 0, said: "" });
      return readFileSync(path, "utf8");
    };
    expect(await region("classes.ts", "--int64", "number")).toContain("n: number");
    expect(await region("all.go", "--strings", "view")).not.toBe(await region("all.go"));
  });

  test.each(
    rows([
      [["--target", "ts", "--strings", "view"], /--strings needs --target go/],
      [[...GO, "--int64", "number"], /--int64 needs --target ts and js/],
      [[...GO, "--typed-arrays"], /--typed-arrays needs --target ts and js/],
      [[...GO, "--max-depth", "5"], /--max-depth needs --target ts and js/],
      [[...GO, "--strings", "shared"], /choices are copy, view/],
      [[...GO, "--max-elements", "0"], /--max-elements must be a whole number of at least 1/],
      [[...GO, "--max-elements", ""], /--max-elements must be a whole number of at least 1/],
      [[...GO, "--absent", "shared"], /--absent needs --target ts and js/],
      [["--target", "ts", "--max-depth", "0"], /whole number/],
      [["--target", "ts", "--max-depth", "1000000000"], /maxDepth/],
      [["--region", "classes.ts", "--strings", "view"], /--strings needs --target go/],
      [["--region", "all.go", "--maps", "object"], /--maps needs --target ts and js/],
      [["--region", "classes.ts", "--runtime", "not a path"], /runtime must be a name or a path/],
      [["--region", "all.go", "--runtime", "not a path"], /runtime must be "beside" or the path of a package/],
    ]),
  )("%j is bad usage", async (args, said) => {
    expect(await run("all.ts", ...args)).toMatchObject({ code: 2, said: expect.stringMatching(said) });
  });
});

test("two structs with one name: the error says what to do, and that works", async () => {
  const out = emptyFolder();
  const twice = await run("twice.ts", "--target", "ts", "--out", out);
  expect(twice.code).toBe(1);
  expect(twice.said).toMatch(/declare Inner twice: rename a struct.*toDocument\(schema\), which renames the second/);
  expect((await run("renamed.ts", "--target", "ts", "--out", out)).code).toBe(0);
  expect(readFileSync(join(out, "outer.ts"), "utf8")).toContain("export interface Inner2 {");
});
