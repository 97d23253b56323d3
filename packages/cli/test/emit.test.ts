import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder, moonpack } from "./run.js";
import { folderWith, PLAYER } from "./schemas.js";

const cwd = folderWith({
  "player.ts": PLAYER,
  "unnameable.json": '{"pck":1,"root":"+","structs":{"+":{"fields":[{"name":"x","type":"u8"}]}}}',
});

async function run(...args: string[]) {
  const { code, stdout, stderr } = await moonpack(["emit", ...args], { cwd });
  return { code, out: stdout.toString(), said: stderr };
}

describe("emit", () => {
  test("writes code that runs alone, and is the same the second time", async () => {
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
    expect(again.out.match(/is as it was/g)).toHaveLength(4);
  });

  test("--check says which file is stale, and writes nothing", async () => {
    const out = emptyFolder();
    const args = ["player.ts", "--target", "go", "--package", "game", "--out", out];
    const missing = await run(...args, "--check");
    expect([missing.code, missing.out.match(/is stale/g)?.length, readdirSync(out)]).toEqual([1, 2, []]);
    await run(...args);
    expect(await run(...args, "--check")).toMatchObject({ code: 0, out: "every file is as it would be written\n" });
    const file = join(out, "pck.go");
    appendFileSync(file, "// mine\n");
    expect(await run(...args, "--check")).toMatchObject({ code: 1, out: expect.stringContaining("pck.go is stale") });
    expect(readFileSync(file, "utf8")).toMatch(/\/\/ mine\n$/);
  });

  test.each([
    [["player.ts"], 2, /--target/],
    [["player.ts", "--target", "rust"], 2, /choices are ts, js, go/],
    [["player.ts", "--target", "go"], 2, /--package NAME/],
    [["player.ts", "--target", "ts", "--package", "game"], 2, /for --target go/],
    [["player.ts", "--target", "ts", "--name", "a b"], 2, /must be a name/],
    [["unnameable.json", "--target", "ts"], 1, /ERR_SCHEMA/],
    [["none.json", "--target", "ts"], 1, /none\.json/],
  ])("%j is refused", async (args, code, text) => {
    const result = await run(...args, "--out", emptyFolder());
    expect(result.code).toBe(code);
    expect(result.said).toMatch(text);
  });
});
