import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codec, schema, toDocument, u8, utf8 } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { emptyFolder, moonpack } from "./run.js";
import { folderWith } from "./schemas.js";

const PlayerV1 = schema("Player", utf8("nick"), u8("score"));
const cwd = folderWith({
  "player.ts": `
    import { renamed, schema, u8, u16, utf8, withDefault } from "@moonpack/pck";
    export const Team = schema("Team", utf8("name"));
    export default schema("Player", renamed(utf8("name"), "nick"), u16("score"), withDefault(u8("lives"), 3));`,
  "player-v1.json": JSON.stringify(toDocument(PlayerV1)),
  "player-v2.ts": `
    import { schema, u8, utf8 } from "@moonpack/pck";
    export const Player = schema("Player", utf8("name"), u8("score"));`,
  "other.json": JSON.stringify(toDocument(schema("Player", utf8("nick"), utf8("score")))),
  "game.ts": `
    import { bundle, schema, u8 } from "@moonpack/pck";
    export const Inside = schema("Inside", u8("a"));
    export const game = bundle({ One: schema(u8("one")), Two: schema(u8("two")) });`,
  "game-old.js": `
    import { bundle, schema, u8 } from "@moonpack/pck";
    export default bundle({ Two: schema(u8("two")), Gone: schema(u8("gone")) });`,
  "two-bundles.ts": `
    import { bundle, schema, u8 } from "@moonpack/pck";
    export const a = bundle({ One: schema(u8("one")) });
    export const b = bundle({ Two: schema(u8("two")) });`,
  "several.mts": `
    import { schema, u8 } from "@moonpack/pck";
    export const One = schema("One", u8("one"));
    export const Two = schema("Two", u8("two"));`,
});

async function run(...args: string[]) {
  const { code, stdout, stderr } = await moonpack(["emit", ...args], { cwd });
  return { code, out: stdout.toString(), said: stderr };
}

/** The exports of the first JavaScript module in a folder. */
async function exportsIn(out: string, file: string): Promise<Record<string, (argument: unknown) => unknown>> {
  writeFileSync(join(out, "package.json"), '{"type": "module"}');
  return await import(join(out, file));
}

/** The names of all decoders that are emitted for a file. */
async function decoders(...args: string[]): Promise<string[]> {
  const out = emptyFolder();
  expect(await run(...args, "--target", "ts", "--out", out)).toMatchObject({ code: 0, said: "" });
  const [file] = readdirSync(out);
  return [...readFileSync(join(out, file!), "utf8").matchAll(/^export function (decode\w+)/gm)].map(
    ([, name]) => name!,
  );
}

describe("emit --older", () => {
  test("decodes bytes of older schemas, from documents and modules", async () => {
    const out = emptyFolder();
    const older = ["--older", "V1=player-v1.json", "--older", "player-v2.ts"];
    await run("player.ts", "--target", "js", "--runtime", "beside", "--out", out, ...older);
    const { decodePlayerFromV1, decodePlayerFromPlayerV2 } = await exportsIn(out, "player.js");
    const bytes = codec(PlayerV1).encode({ nick: "ann", score: 7 });
    expect(decodePlayerFromV1!(bytes)).toEqual({ name: "ann", score: 7, lives: 3 });
    expect(decodePlayerFromPlayerV2!(bytes)).toEqual({ name: "ann", score: 7, lives: 3 });
  });

  test("in Go", async () => {
    const out = emptyFolder();
    const older = ["--older", "V1=player-v1.json"];
    await run("player.ts", "--target", "go", "--package", "game", "--out", out, ...older);
    expect(readFileSync(join(out, "pck.go"), "utf8")).toContain(
      "func (v *Player) UnmarshalBinaryFromV1(b []byte) error {",
    );
  });

  test("in bundles, schemas with the same names are paired", async () => {
    expect(await decoders("game.ts", "--older", "V1=game-old.js")).toEqual([
      "decodeOne",
      "decodeTwo",
      "decodeTwoFromV1",
    ]);
  });

  test.each(
    rows([
      [["--older", "other.json"], 1, /Player\.score \(utf8\).*Player\.score \(u16\)/],
      [["--older", "none.json"], 1, /none\.json/],
      [["--older", "V1=player-v1.json", "--older", "V1=player-v2.ts"], 2, /has the name V1 twice/],
      [["--older", "player-v1.json", "--check", "--watch"], 2, /cannot be combined/],
      [["--older", "player-v1.json", "--region", "x.ts"], 2, /cannot be combined with --region/],
    ]),
  )("%j is refused", async (args, code, text) => {
    const result = await run("player.ts", "--target", "ts", "--out", emptyFolder(), ...args);
    expect(result.code).toBe(code);
    expect(result.said).toMatch(text);
  });
});

describe("emit, several schemas", () => {
  test.each(
    rows([
      [["player.ts"], ["decodePlayer"]],
      [["player.ts", "--export", "Team"], ["decodeTeam"]],
      [["game.ts"], ["decodeOne", "decodeTwo"]],
      [
        ["game.ts", "--export", "game"],
        ["decodeOne", "decodeTwo"],
      ],
      [["game.ts", "--export", "Inside"], ["decodeInside"]],
      [["game-old.js"], ["decodeTwo", "decodeGone"]],
      [["game-old.js", "--export", "Gone"], ["decodeRoot"]],
      [["several.mts"], ["decodeOne", "decodeTwo"]],
      [["several.mts", "--export", "Two"], ["decodeTwo"]],
      [["two-bundles.ts", "--export", "b"], ["decodeTwo"]],
    ]),
  )("%j", async (args, names) => {
    expect(await decoders(...args)).toEqual(names);
  });

  test("with two bundles, --export must choose one", async () => {
    const result = await run("two-bundles.ts", "--target", "ts", "--out", emptyFolder());
    expect(result).toMatchObject({
      code: 1,
      said: expect.stringMatching(/several bundles: choose one with --export a or --export b/),
    });
  });

  test("the schema's own file is never overwritten", async () => {
    const before = readFileSync(join(cwd, "player.ts"), "utf8");
    const result = await run("player.ts", "--target", "ts");
    expect(result).toMatchObject({ code: 2, said: expect.stringMatching(/player\.ts is the file of a schema/) });
    expect(readFileSync(join(cwd, "player.ts"), "utf8")).toBe(before);
  });
});
