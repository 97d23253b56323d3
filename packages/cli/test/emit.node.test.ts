import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { emptyFolder, moonpack } from "./run.js";
import { folderWith, PLAYER } from "./schemas.js";

const GO = ["--target", "go", "--package", "game"];
const cwd = folderWith({
  "player.ts": PLAYER,
  "unnameable.json": '{"pck":1,"root":"+","structs":{"+":{"fields":[{"name":"x","type":"u8"}]}}}',
});

async function run(...args: string[]) {
  const { code, stdout, stderr } = await moonpack(["emit", ...args], { cwd });
  return { code, out: stdout.toString(), said: stderr };
}

describe("emit", () => {
  test("writes code that runs without the CLI, and is the same the second time", async () => {
    const out = emptyFolder();
    const args = ["player.ts", "--target", "js", "--runtime", "beside", "--out", out];
    expect((await run(...args)).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(["pck-runtime.d.ts", "pck-runtime.js", "player.d.ts", "player.js"]);
    writeFileSync(join(out, "package.json"), '{"type": "module"}');
    const { encodePlayer, decodePlayer } = await import(join(out, "player.js"));
    const player = { name: "é", at: { x: 1, y: -1 } };
    expect([...encodePlayer(player)]).toEqual([1, 2, 0xc3, 0xa9, 2, 1]);
    expect(decodePlayer(encodePlayer(player))).toEqual(player);
    const again = await run(...args);
    expect(again.out.match(/is unchanged/g)).toHaveLength(4);
  });

  test("--check names the file that is out of date, and writes nothing", async () => {
    const out = emptyFolder();
    const args = ["player.ts", "--target", "go", "--package", "game", "--out", out];
    const missing = await run(...args, "--check");
    expect([missing.code, missing.out.match(/is out of date/g)?.length, readdirSync(out)]).toEqual([1, 2, []]);
    await run(...args);
    expect(await run(...args, "--check")).toMatchObject({ code: 0, out: "every file is up to date\n" });
    const file = join(out, "pck.go");
    appendFileSync(file, "// mine\n");
    expect(await run(...args, "--check")).toMatchObject({
      code: 1,
      out: expect.stringContaining("pck.go is out of date"),
    });
    expect(readFileSync(file, "utf8")).toMatch(/\/\/ mine\n$/);
  });

  test("--region writes the regions and nothing else", async () => {
    const out = emptyFolder();
    const file = join(out, "classes.mjs");
    const kept =
      '\ufeff// mine\r\n// pck:emit("imports")\r\n// pck:end\r\n\r\n// pck:emit("class", "Player")\r\n// pck:end\r\n';
    const rest = '// pck:emit("messages", "Player")\r\n// pck:end\r\n// pck:emit("rest")\r\n// pck:end\r\n// é';
    writeFileSync(file, kept + rest);
    const args = ["player.ts", "--region", file, "--runtime", "beside"];
    expect(await run(...args, "--check")).toMatchObject({
      code: 1,
      out: expect.stringContaining("classes.mjs is out of date"),
    });
    expect(readFileSync(file, "utf8")).toBe(kept + rest);
    expect(await run(...args)).toMatchObject({ code: 0, out: expect.stringContaining("classes.mjs written") });
    expect(readdirSync(out).sort()).toEqual(["classes.mjs", "pck-runtime.d.ts", "pck-runtime.js"]);
    writeFileSync(join(out, "package.json"), '{"type": "module"}');
    const { Player, decodePlayer, encodePlayer } = await import(file);
    expect([...encodePlayer(new Player("é", { x: 1, y: -1 }))]).toEqual([1, 2, 0xc3, 0xa9, 2, 1]);
    expect(decodePlayer(encodePlayer(new Player("", null)))).toBeInstanceOf(Player);
    const text = readFileSync(file, "utf8");
    expect(text.replace(/(pck:emit\(.*\)\r\n)[\s\S]*?(\/\/ pck:end)/g, "$1$2")).toBe(kept + rest);
    expect(await run(...args, "--check")).toMatchObject({ code: 0, out: "every file is up to date\n" });
    expect((await run(...args)).out.match(/is unchanged/g)).toHaveLength(3);
  });

  test("--region of Go takes the package from the file", async () => {
    const out = emptyFolder();
    const file = join(out, "player.go");
    const region = (type: string) => `// pck:emit("${type}", "Player")\n// pck:end\n\n`;
    writeFileSync(
      file,
      `package game\n\n// pck:emit("imports")\n// pck:end\n\n${region("struct")}${region("methods")}`,
    );
    expect((await run("player.ts", "--region", file, "--runtime", "beside")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("func (v *Player) UnmarshalBinary(b []byte) error {");
    expect(readFileSync(join(out, "pck_runtime.go"), "utf8")).toContain("\npackage game\n");
  });

  test.each(
    rows([
      ['// pck:emit("class", "Player")\n', 1, /ERR_INVALID_ARGUMENT: line 1: pck:emit without pck:end/],
      [
        '\n// pck:emit("klass", "Player")\n// pck:end\n',
        1,
        /ERR_INVALID_ARGUMENT: line 2: unknown type of region "klass"/,
      ],
      ['// pck:emit("class", "Unknown")\n// pck:end\n', 1, /line 1: no schema is named "Unknown"/],
      ["// nothing of ours\n", 1, /has no region/],
      [Uint8Array.of(0x2f, 0x2f, 0xff), 1, /not valid UTF-8/],
    ]),
  )("--region leaves %j unchanged", async (content, code, said) => {
    const out = emptyFolder();
    const file = join(out, "classes.ts");
    writeFileSync(file, content);
    expect(await run("player.ts", "--region", file)).toMatchObject({ code, said: expect.stringMatching(said) });
    expect(readFileSync(file)).toEqual(Buffer.from(content as string));
    expect(readdirSync(out)).toEqual(["classes.ts"]);
  });

  test.each(
    rows([
      [["player.ts", "--region", "none.ts"], 1, /none\.ts/],
      [["player.ts", "--region", "player.py"], 2, /--target ts, js or go/],
      [
        ["player.ts", "--region", "player.ts", "--name", "x"],
        2,
        /--name and --package cannot be combined with --region/,
      ],
    ]),
  )("%j is refused", async (args, code, text) => {
    expect(await run(...args)).toMatchObject({ code, said: expect.stringMatching(text) });
  });

  test.each(
    rows([
      [["player.ts"], 2, /--target/],
      [["player.ts", "--target", "rust"], 2, /choices are ts, js, go/],
      [["player.ts", "--target", "go"], 2, /--package NAME/],
      [["player.ts", "--target", "ts", "--package", "game"], 2, /--package needs --target go/],
      [["player.ts", "--target", "ts", "--name", "a b"], 2, /must be a plain name/],
      [
        ["player.ts", "--target", "ts", "--name", "../x"],
        2,
        /--name must be a plain name, not \.\.\/x; --out sets the folder/,
      ],
      [["player.ts", "--target", "js", "--name", "sub/x"], 2, /must be a plain name/],
      [["player.ts", "--target", "ts", "--name", ".."], 2, /must be a plain name/],
      [["player.ts", ...GO, "--name", "../x"], 2, /must be a plain name/],
      [["unnameable.json", "--target", "ts"], 1, /ERR_SCHEMA/],
      [["none.json", "--target", "ts"], 1, /none\.json/],
    ]),
  )("%j is refused", async (args, code, text) => {
    const result = await run(...args, "--out", emptyFolder());
    expect(result.code).toBe(code);
    expect(result.said).toMatch(text);
  });
});
