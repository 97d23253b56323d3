/** `--names`: a file that chooses names for Go, for example to resolve a collision. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { emptyFolder, moonpack } from "./run.js";
import { folderWith } from "./schemas.js";

const CHOSEN = {
  Player: "Gamer",
  "Player.size": "Bytes",
  "enumeration Player.mood": "Mood",
  "value Player.mood.happy": "Glad",
  "union Player.shape": "Shape",
  "arm Player.shape.dot": "DotArm",
};
const cwd = folderWith({
  "player.ts": `
    import { enumeration, schema, u8, union } from "@moonpack/pck";
    const Dot = schema("Dot", u8("x"));
    export default schema("Player", u8("size"), enumeration("mood", "happy"), union("shape", { dot: Dot }));`,
  "names.json": JSON.stringify(CHOSEN),
  "broken.json": '{"Player.size":\n }',
  "list.json": '["Bytes"]',
  "number.json": '{"Player.size": 1}',
  "unknown.json": '{"Player.size": "Bytes", "Player.sise": "Bytes"}',
  "small.json": '{"Player.size": "bytes"}',
});
const GO = ["--target", "go", "--package", "game"];

async function run(...args: string[]) {
  const { code, stderr } = await moonpack(["emit", "player.ts", ...args], { cwd });
  return { code, said: stderr };
}

test("--names resolves collisions, and can choose every name", async () => {
  const out = emptyFolder();
  expect(await run(...GO, "--out", out)).toMatchObject({ code: 1, said: expect.stringMatching(/choose names with/) });
  expect(readdirSync(out)).toEqual([]);
  expect(await run(...GO, "--out", out, "--names", "names.json")).toEqual({ code: 0, said: "" });
  const text = readFileSync(join(out, "pck.go"), "utf8");
  for (const part of [
    /^type Gamer struct \{\n\tBytes uint8\n\tMood {2}Mood\n\tShape Shape\n\}/m,
    /^\tGlad\b/m,
    /^type DotArm /m,
  ])
    expect(text).toMatch(part);
});

test.each(
  rows([
    [[...GO, "--names", "broken.json"], 1, /broken\.json: ERR_\w+: .* line 2 column 2\n$/],
    [
      [...GO, "--names", "list.json"],
      1,
      /list\.json: expected an object of names, such as \{"Player\.size": "Bytes"\}/,
    ],
    [[...GO, "--names", "number.json"], 1, /number\.json: "Player\.size" must have a string as its name/],
    [[...GO, "--names", "unknown.json"], 1, /unknown\.json: the schema has nothing named "Player\.sise"/],
    [[...GO, "--names", "small.json"], 1, /"bytes" is not a valid exported name in Go/],
    [[...GO, "--names", "none.json"], 1, /cannot read .*none\.json: no such file/],
    [["--target", "ts", "--names", "names.json"], 2, /--names needs --target go/],
    [["--region", "player.go", "--names", "names.json"], 2, /--names writes whole files/],
  ]),
)("%j is refused", async (args, code, said) => {
  const out = emptyFolder();
  const folder = (args as readonly string[]).includes("--region") ? [] : ["--out", out];
  expect(await run(...args, ...folder)).toMatchObject({ code, said: expect.stringMatching(said) });
  expect(readdirSync(out)).toEqual([]);
});
