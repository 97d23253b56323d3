/** The commands in the README, as they stand, on small files. Only the commands that need a server or a database are left out. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bin, emptyFolder, plainEnvironment } from "./run.js";

const README = `\n${readFileSync(new URL("../README.md", import.meta.url), "utf8")}`;

/** The lines of the first block of commands under a heading. */
function commandsUnder(heading: string): string[] {
  const section = README.slice(README.indexOf(`\n${heading}\n`));
  return /^```sh\n([\s\S]*?)^```$/m.exec(section)![1]!.trimEnd().split("\n");
}

/** Runs commands in one shell, in which npx is the built command. Returns the output of each; a command that fails ends the test. */
async function run(commands: readonly string[], cwd: string): Promise<string[]> {
  const npx = `npx() { shift; ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }`;
  const script = [npx, "set -e", ...commands.flatMap((command) => [command, "echo ----"])].join("\n");
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd, env: plainEnvironment() });
  return stdout.split("----\n").slice(0, -1);
}

describe.skipIf(process.platform === "win32")("README", () => {
  test("convert and inspect", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "data.json"), '[{"a":1},{"a":2}]');
    const [, sizes] = await run(commandsUnder("# @moonpack/cli"), cwd);
    expect(readFileSync(join(cwd, "data.msgpack")).toString("hex")).toBe("9281a1610181a16102");
    expect(sizes).toMatch(/^ *9 +100\.0 % +1 +9 +\$$/m);
  });

  test("pick", async () => {
    const cwd = emptyFolder();
    writeFileSync(
      join(cwd, "order.json"),
      '{"id":7,"user":{"name":"Ada"},"items":[{"sku":"A1"},{"sku":"B2"}],"payload":[1]}',
    );
    writeFileSync(
      join(cwd, "events.msgpack"),
      Buffer.from("82a56c6576656ca4696e666fa26d730582a56c6576656ca56572726f72a26d7307", "hex"),
    );
    const printed = await run(commandsUnder("## pick"), cwd);
    expect(printed.slice(1)).toEqual([
      '"Ada"\n',
      '{"id":7,"skus":["A1","B2"]}\n',
      '{"/level":"info","/ms":5}\n{"/level":"error","/ms":7}\n',
      "",
    ]);
    expect(readFileSync(join(cwd, "payload.msgpack")).toString("hex")).toBe("9101");
  });

  test("PCK", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "players.ndjson"), '{"name":"Ann","score":7}\n{"name":"Bo","score":300}\n');
    writeFileSync(join(cwd, "player.json"), '{"name":"Ann","score":7}');
    const commands = commandsUnder("## PCK");
    const old = "npx @moonpack/cli infer player.json --name Player --document > player-1.json";
    const [, , , lines, , fields, compared] = await run([old, ...commands], cwd);
    expect(lines).toBe('{"name":"Ann","score":7}\n{"name":"Bo","score":300}\n');
    expect(fields).toContain("score");
    expect(compared).toBe("no changes: bytes and values are the same\n");
    expect(readdirSync(cwd).sort()).toEqual([
      "player-1.json",
      "player.bin",
      "player.json",
      "player.ts",
      "players.ndjson",
      "players.pck",
    ]);
  });

  test("series", async () => {
    const cwd = emptyFolder();
    const points = [2, 1].map((minutes) => ({
      name: "cpu.load",
      tags: { host: "a1" },
      timestamp: Date.now() - minutes * 60_000,
      value: minutes / 4,
    }));
    writeFileSync(join(cwd, "log.csv"), "time,wind\n31.01.2026 12:00,3.5\n");
    writeFileSync(join(cwd, "points.ndjson"), points.map((point) => `${JSON.stringify(point)}\n`).join(""));
    const commands = commandsUnder("## series").filter((command) => !command.includes("series migrate"));
    const [, queried, windows, days, instant, range, chart] = await run(commands, cwd);
    expect(queried).toMatch(/0\.5[\s\S]*0\.25/);
    expect(windows).toContain("p99");
    expect(days).toMatch(/T00:00:00\.000\+0[12]:00 /);
    expect(instant).toMatch(/\{host="a1"\} +0\.25\n/);
    expect(range).toContain("└─");
    expect(chart).toContain("cpu.load");
    expect(readFileSync(join(cwd, "load.svg"), "utf8")).toContain("</svg>");
    expect(
      gunzipSync(readFileSync(join(cwd, "points.csv.gz")))
        .toString()
        .trimEnd()
        .split("\n"),
    ).toHaveLength(3);
  });
});
