/** What `moonpack emit` does not write over: files that somebody wrote. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { moonpack } from "./run.js";
import { folderWith, PLAYER } from "./schemas.js";

const POSITION = `
import { ivar, schema } from "moonpack/pck";
export const Position = schema("Position", ivar("x"), ivar("y"));`;
const GAME = `
import { Position } from "./position.js";
export default Position;`;

async function run(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await moonpack(["emit", ...args], { cwd });
  return { code, out: stdout.toString(), said: stderr };
}

describe("nothing is written over", () => {
  test("what the schema imports", async () => {
    const cwd = folderWith({ "position.ts": POSITION, "game.ts": GAME });
    const said = expect.stringMatching(/position\.ts is what a schema's file imports: choose another --out folder/);
    expect(await run(cwd, "game.ts", "--target", "ts")).toMatchObject({ code: 2, said });
    expect(readFileSync(join(cwd, "position.ts"), "utf8")).toBe(POSITION);
  });

  test("the schema, by a link to its folder", async () => {
    const cwd = folderWith({ "player.ts": PLAYER });
    symlinkSync(".", join(cwd, "link"));
    const said = expect.stringMatching(/player\.ts is a schema's file/);
    expect(await run(cwd, "player.ts", "--target", "ts", "--out", "link")).toMatchObject({ code: 2, said });
    expect(await run(cwd, "link/player.ts", "--target", "ts")).toMatchObject({ code: 2, said });
    expect(readFileSync(join(cwd, "player.ts"), "utf8")).toBe(PLAYER);
  });

  test.each([
    ["player.js", "export const mine = 1; // Made by moonpack\n"],
    ["player.d.ts", ""],
    ["pck-runtime.js", "/* mine */\n"],
  ])("a file of somebody's, %s; nor is any other file written", async (name, text) => {
    const cwd = folderWith({ "schema.ts": PLAYER, [name]: text });
    const args = ["schema.ts", "--target", "js", "--runtime", "beside"];
    const said = expect.stringMatching(`${name} is there and was not made by moonpack: move it, or choose another`);
    for (const more of [[], ["--check"]])
      expect(await run(cwd, ...args, ...more)).toMatchObject({ code: 1, out: "", said });
    expect(readdirSync(cwd).sort()).toEqual([name, "schema.ts"].sort());
    expect(readFileSync(join(cwd, name), "utf8")).toBe(text);
  });

  test("what is in the way of a runtime beside regions", async () => {
    const region =
      '// pck:emit("imports")\n// pck:end\n// pck:emit("class", "Player")\n// pck:end\n// pck:emit("rest")\n// pck:end\n';
    const cwd = folderWith({ "schema.ts": PLAYER, "classes.ts": region, "pck-runtime.ts": "// mine\n" });
    const said = expect.stringMatching(/pck-runtime\.ts is there and was not made/);
    const args = ["schema.ts", "--region", "classes.ts", "--runtime", "beside"];
    expect(await run(cwd, ...args)).toMatchObject({ code: 1, said });
    expect(readFileSync(join(cwd, "classes.ts"), "utf8")).toBe(region);
  });

  test("a folder", async () => {
    const cwd = folderWith({ "schema.ts": PLAYER, "player.d.ts/a": "" });
    const said = expect.stringMatching(/cannot write player\.d\.ts: it is a folder/);
    expect(await run(cwd, "schema.ts", "--target", "js")).toMatchObject({ code: 1, said });
    expect(readdirSync(cwd).sort()).toEqual(["player.d.ts", "schema.ts"]);
  });
});

test.each([
  ["ts", "--runtime", "beside"],
  ["js", "--runtime", "beside"],
  ["go", "--package", "game"],
])("what moonpack made is written anew, its runtime too: %s", async (...target) => {
  const cwd = folderWith({ "schema.ts": PLAYER });
  const args = ["schema.ts", "--target", ...target];
  expect((await run(cwd, ...args)).code).toBe(0);
  const made = readdirSync(cwd).filter((name) => name !== "schema.ts");
  const before = made.map((name) => readFileSync(join(cwd, name), "utf8"));
  // As editors and version control leave it: with other ends of lines, and a line above.
  for (const [i, name] of made.entries())
    writeFileSync(join(cwd, name), `\ufeff// kept\r\n${before[i]!.replaceAll("\n", "\r\n")}`);
  const again = await run(cwd, ...args);
  expect([again.code, again.out.match(/ written$/gm)?.length]).toEqual([0, made.length]);
  expect(made.map((name) => readFileSync(join(cwd, name), "utf8"))).toEqual(before);
});
