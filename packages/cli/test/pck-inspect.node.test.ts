import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { moonpack } from "./run.js";
import { folderWith } from "./schemas.js";

const SCHEMA = JSON.stringify({
  pck: 1,
  root: "Player",
  structs: {
    Player: {
      fields: [
        { name: "name", type: "utf8" },
        { name: "online", type: "bool" },
        { name: "at", type: { ref: "Point" }, omit: ["null"] },
        { name: "kids", type: { array: "uvar" }, omit: ["empty"] },
      ],
    },
    Point: { fields: ["x", "y"].map((name) => ({ name, type: "ivar" })) },
  },
});
const cwd = folderWith({
  "player.json": SCHEMA,
  "ann.json": '{"name":"Ann","online":true,"kids":[1,300]}',
  "players.ndjson": '{"name":"Ann","online":true,"kids":[1,300]}\n{"name":"","online":false,"at":{"x":1,"y":2}}\n',
});

async function inspect(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await moonpack(["inspect", ...args], { cwd });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.toString().trimEnd().split("\n");
}

describe("a message", async () => {
  await moonpack(["convert", "ann.json", "ann.bin", "--schema", "player.json"], { cwd });

  test("each byte with its offset, field and meaning; bits at their byte", async () => {
    expect(await inspect("ann.bin", "--schema", "player.json")).toEqual([
      "offset  bytes                       format           meaning  path",
      "     0  06                          struct           Player  $",
      "     0                              absent bit 0       read as null  $.at",
      "     0                              bool bit 2         true  $.online",
      '     1  03 41 6e 6e                 utf8               "Ann"  $.name',
      "     5  02                          array              list of 2  $.kids",
      "     6  01                          uvar                 1  $.kids[0]",
      "     7  ac 02                       uvar                 300  $.kids[1]",
    ]);
  });

  test("framed: the fingerprint first; a wrong one is an error", async () => {
    await moonpack(["convert", "ann.json", "framed.bin", "--schema", "player.json", "--framed"], { cwd });
    const lines = await inspect("framed.bin", "--schema", "player.json", "--framed");
    expect(lines[1]).toMatch(/^ {5}0 {2}(?:[0-9a-f]{2} ){8}\.\. +framed struct +Player {2}\$$/);
    expect(lines[2]).toMatch(/^ {5}8 {2}/);
    const { code, stderr } = await moonpack(["inspect", "ann.bin", "--schema", "player.json", "--framed"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("ann.bin: ERR_FINGERPRINT: the fingerprint is 06 03 41");
  });

  test("invalid: shown up to the error, exit 1", async () => {
    const input = readFileSync(join(cwd, "ann.bin")).subarray(0, -1);
    const { code, stdout, stderr } = await moonpack(["inspect", "--schema", "player.json"], { cwd, input });
    expect(code).toBe(1);
    expect(stdout.toString()).toContain("$.kids[0]");
    expect(stdout.toString()).toMatch(/broken +the input ends inside an item/);
    expect(stderr).toBe(
      "moonpack: standard input: ERR_TRUNCATED: the input ends inside an item (at byte 7, 1 more needed)\n",
    );
  });
});

describe("a container", async () => {
  await moonpack(["convert", "players.ndjson", "players.pck", "--schema", "player.json"], { cwd });
  const bytes = readFileSync(join(cwd, "players.pck"));

  test("its head, then value by value; also recognized by its first bytes", async () => {
    const lines = await inspect("players.pck", "--hex");
    expect(lines.slice(1, 5).map((line) => line.trim().replace(/ {2,}/g, "  "))).toEqual([
      "0  50 43 4b 01  container  version 1, of Player  $",
      expect.stringMatching(
        /^4 {2}.. 0[12] 7b 22 70 63 6b 22 \.\. {2}schema {2}document of 2 structs {2}\$\(schema\)$/,
      ),
      expect.stringMatching(/fingerprint {2}(?:[0-9a-f]{2} ){7}[0-9a-f]{2} {2}\$\(fingerprint\)$/),
      expect.stringMatching(/ {2}09 06 {2}value {2}Player of 9 bytes {2}\$\[0\]$/),
    ]);
    expect(lines.at(-1)).toMatch(/ivar +2 {2}\$\[1\]\.at\.y$/);
    const { stdout } = await moonpack(["inspect", "--hex"], { input: bytes });
    expect(stdout.toString().trimEnd().split("\n")).toEqual(lines);
  });

  test("--json: every byte in exactly one item", async () => {
    let at = 0;
    for (const line of await inspect("players.pck", "--json")) {
      const { offset, end } = JSON.parse(line);
      if (end === offset) continue;
      expect(offset).toBe(at);
      at = end;
    }
    expect(at).toBe(bytes.length);
  });

  test("--sizes: by field, all values added up; absent fields do not count", async () => {
    const rows = await inspect("players.pck", "--sizes", "--json");
    const sizes = Object.fromEntries(
      rows.map((row) => JSON.parse(row)).map(({ path, size, count }) => [path, [size, count]]),
    );
    expect(sizes.$).toEqual([bytes.length, 1]);
    expect(sizes["$[*]"]).toEqual([15, 2]);
    expect(sizes["$[*].kids"]).toEqual([4, 1]);
    expect(sizes["$[*].at"]).toEqual([2, 1]);
    expect(sizes["$(fingerprint)"]).toEqual([8, 1]);
  });

  test("a file that is not a container", async () => {
    const { code, stderr } = await moonpack(["inspect", "x.pck"], { cwd: folderWith({ "x.pck": "{}" }) });
    expect(code).toBe(1);
    expect(stderr).toContain("ERR_INVALID_BYTE: not a PCK container of version 1 (at byte 0)");
  });
});
