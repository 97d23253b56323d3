import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeContainer, fingerprint } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { moonpack, moonpackProcess, type RunOptions } from "./run.js";
import { ANN, folderWith, NEWER_DOCUMENT, PLAYER_DOCUMENT, ZOE } from "./schemas.js";

const cwd = folderWith({
  "player.json": PLAYER_DOCUMENT,
  "newer.json": NEWER_DOCUMENT,
  "players.ndjson": `${ANN}\n\n${ZOE}\n`,
  "ann.json": ANN,
});

/** Runs `convert` in the folder. Returns its output, or its error text. */
async function convert(...args: string[]): Promise<string> {
  return convertWith({}, ...args);
}

async function convertWith(options: RunOptions, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await moonpack(["convert", ...args], { cwd, ...options });
  return code === 0 ? stdout.toString() : `exit ${code}: ${stderr.replaceAll(`${cwd}/`, "")}`;
}

test("NDJSON to a container and back, a JSON list and back: nothing is lost", async () => {
  expect(await convert("players.ndjson", "players.pck", "--schema", "player.json")).toBe("");
  expect(await convert("players.pck")).toBe(`${ANN}\n${ZOE}\n`);
  expect(await convert("players.pck", "players.json")).toBe("");
  expect(readFileSync(join(cwd, "players.json"), "utf8")).toBe(`[${ANN},${ZOE}]\n`);
  expect(await convert("players.json", "again.pck", "-s", "player.json")).toBe("");
  expect(readFileSync(join(cwd, "again.pck"))).toEqual(readFileSync(join(cwd, "players.pck")));
  expect(await convert("players.pck", "--to", "json", "--pretty")).toMatch(
    /^\[\n {2}\{\n {4}"name": "Ann",\n.*\n\]\n$/s,
  );
});

describe("a container takes all JSON that infer takes", () => {
  const [one, two] = ['{"id":7,"tags":["x"]}', '{"id":8,"tags":[]}'];
  test.each([
    ["one.json", `${one}\n`, [one]],
    ["indented.json", `${JSON.stringify(JSON.parse(one), null, 2)}\n`, [one]],
    ["marked.json", `\uFEFF${one}`, [one]],
    ["list.json", `[${one},\n ${two}]\n`, [one, two]],
    ["one.ndjson", one, [one]],
    ["lines.ndjson", `${one}\n\n${two}\n`, [one, two]],
    ["only-list.ndjson", `\n[${one},${two}]\n\n`, [one, two]],
  ])("%s", async (file, text, values) => {
    writeFileSync(join(cwd, file), text);
    const { code } = await moonpack(["infer", file, "--out", "inferred.ts"], { cwd });
    expect(code).toBe(0);
    expect(await convert(file, "taken.pck", "--schema", "inferred.ts")).toBe("");
    expect(await convert("taken.pck")).toBe(`${values.join("\n")}\n`);
    expect(await convertWith({ input: text }, "-", "piped.pck", "--schema", "inferred.ts")).toBe("");
    expect(readFileSync(join(cwd, "piped.pck"))).toEqual(readFileSync(join(cwd, "taken.pck")));
  });
});

test("a message and back, also framed; from a container with one value", async () => {
  expect(await convert("ann.json", "ann.bin", "--schema", "player.json")).toBe("");
  expect(await convert("ann.bin", "--schema", "player.json")).toBe(`${ANN}\n`);
  expect(await convert("ann.bin", "ann.pck", "--schema", "player.json")).toBe("");
  expect(await convert("ann.pck", "framed.bin", "--to", "message", "--framed")).toBe("");
  const bytes = readFileSync(join(cwd, "ann.bin"));
  const { schema } = decodeContainer(readFileSync(join(cwd, "ann.pck")));
  expect(readFileSync(join(cwd, "framed.bin"))).toEqual(Buffer.concat([fingerprint(schema), bytes]));
  expect(await convert("framed.bin", "--schema", "player.json", "--framed")).toBe(`${ANN}\n`);
});

test("a container as values of a newer schema, through a pipe", async () => {
  expect(await convert("ann.json", "old.pck", "--schema", "player.json", "--from", "ndjson")).toBe("");
  const input = readFileSync(join(cwd, "old.pck"));
  const newer = ["--schema", "newer.json"];
  expect(await convertWith({ input }, "--from", "pck", ...newer)).toBe('{"name":"Ann","level":7}\n');
  expect(await convert("old.pck", "new.pck", ...newer)).toBe("");
  expect(await convert("new.pck")).toBe('{"name":"Ann","level":7}\n');
  expect(await convert("new.pck", "--schema", "player.json")).toMatch(/^exit 1: moonpack: new\.pck: ERR_SCHEMA: .*\n$/);
});

describe("bad data: exit 1 with code and place; an old output stays", () => {
  test.each([
    ['{"name": "x"}', "ERR_UNSUPPORTED_TYPE", "(at $.score), line 1\n"],
    [`\n${ANN.replace('"y":-2', '"y":0.5')}`, "ERR_OUT_OF_RANGE", "(at $.at.y), line 2\n"],
    [ANN.replace("300", "1e400"), "ERR_OUT_OF_RANGE", "(at byte 75), line 1 column 76\n"],
    [ANN.replace("100000000000000000000.0", "9007199254740993"), "ERR_UNSUPPORTED_TYPE", "(at $.ratio), line 1\n"],
    [`${ANN}\n{"name": }`, "ERR_INVALID_BYTE", "(at byte 166), line 2 column 10\n"],
  ])("%s", async (input, code, place) => {
    writeFileSync(join(cwd, "kept.pck"), "kept");
    const said = await convertWith({ input }, "-", "kept.pck", "--from", "ndjson", "--schema", "player.json");
    expect(said).toContain(`exit 1: moonpack: standard input: ${code}: `);
    expect(said.endsWith(place)).toBe(true);
    expect(readFileSync(join(cwd, "kept.pck"), "utf8")).toBe("kept");
  });

  test("a list as a value, JSON that is not a struct, a container with more than one value, a truncated one", async () => {
    const struct = "exit 1: moonpack: standard input: ERR_UNSUPPORTED_TYPE: expected an object, not ";
    for (const [input, format, text] of [
      ["7", "json", "7 (at $)\n"],
      [`[[${ANN}]]`, "json", "an array (at $), in element 0 of the list\n"],
      [`[${ANN}]\n${ZOE}\n`, "ndjson", "an array (at $), line 1\n"],
      [`${ANN}\n[${ZOE}]\n`, "ndjson", "an array (at $), line 2\n"],
    ] as const)
      expect(await convertWith({ input }, "-", "x.pck", "--from", format, "-s", "player.json")).toBe(struct + text);
    expect(await convertWith({ input: `[${ANN},{}]` }, "-", "x.pck", "--from", "json", "-s", "player.json")).toContain(
      "(at $.score), in element 1 of the list",
    );
    expect(await convert("players.ndjson", "two.pck", "--schema", "player.json")).toBe("");
    expect(await convert("two.pck", "x.bin", "--to", "message")).toContain(
      "exit 1: moonpack: a message holds one value",
    );
    const input = readFileSync(join(cwd, "two.pck")).subarray(0, -1);
    const cut = await moonpack(["convert", "--from", "pck"], { input });
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/^moonpack: standard input: ERR_TRUNCATED: .* \(at byte \d+, 1 more needed\)\n$/);
    expect(existsSync(join(cwd, "x.pck"))).toBe(false);
  });
});

test("any number of values needs little memory", async () => {
  const lines = Array.from({ length: 30_000 }, () => ANN).join("\n");
  const input = `${lines}\n`;
  const { code, stdout, peak } = await moonpackProcess(
    ["convert", "--from", "ndjson", "--to", "pck", "--schema", join(cwd, "player.json")],
    { input },
  );
  expect(code).toBe(0);
  expect(stdout.length).toBeGreaterThan(30_000 * 40);
  expect(peak).toBeLessThan(200);
  const back = await moonpackProcess(["convert", "--from", "pck"], { input: stdout });
  expect(back.stdout.toString() === input).toBe(true);
  expect(back.peak).toBeLessThan(200);
});

test("--max-elements limits the elements of one value in containers, messages and JSON", async () => {
  expect(await convert("ann.json", "bounded.bin", "--schema", "player.json")).toBe("");
  expect(await convert("players.ndjson", "bounded.pck", "--schema", "player.json")).toBe("");
  const refused = /ERR_LIMIT_ELEMENTS/;
  expect(await convert("bounded.bin", "--schema", "player.json", "--max-elements", "1")).toMatch(refused);
  expect(await convert("bounded.pck", "--max-elements", "1")).toMatch(refused);
  expect(await convert("ann.json", "out.bin", "--schema", "player.json", "--max-elements", "1")).toMatch(refused);
  expect(existsSync(join(cwd, "out.bin"))).toBe(false);
  expect(await convert("bounded.pck", "--max-elements", "1000")).toBe(`${ANN}\n${ZOE}\n`);
  expect(await convert("bounded.pck", "--max-elements", "0")).toMatch(
    /^exit 2: .*--max-elements must be a whole number of at least 1, not 0/,
  );
  expect(await convert("ann.json", "out.msgpack", "--max-elements", "5")).toMatch(/^exit 2: .*need PCK/);
});
