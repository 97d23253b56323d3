import { spawn } from "node:child_process";
import { encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { bin, fileOf, moonpack, plainEnvironment } from "./run.js";

const value = {
  users: [
    { id: 1, name: "Ann" },
    { id: 300, name: "Bob" },
  ],
  "a b": 1.5,
};
const file = (bytes: Uint8Array): string => fileOf("data.msgpack", bytes);

describe("inspect", () => {
  test("the dump: offset, bytes, format, meaning, path", async () => {
    const { code, stdout } = await moonpack(["inspect", file(encode(value))]);
    expect(code).toBe(0);
    expect(stdout.toString().split("\n").slice(0, 7)).toEqual([
      "offset  bytes                       format           meaning  path",
      "     0  82                          fixmap           map of 2  $",
      '     1  a5 75 73 65 72 73           fixstr             "users":',
      "     7  92                          fixarray           array of 2  $.users",
      "     8  82                          fixmap               map of 2  $.users[0]",
      '     9  a2 69 64                    fixstr                 "id":',
      "    12  01                          positive fixint        1  $.users[0].id",
    ]);
  });

  test("--hex, --limit and standard input", async () => {
    const { stdout } = await moonpack(["inspect", "-", "--hex", "--limit", "6"], { input: encode(value) });
    const lines = stdout.toString().trimEnd().split("\n");
    expect(lines[6]).toMatch(/^ {5}c {2}01 /);
    expect(lines[7]).toBe(".. stopped after 6 lines, at byte 13");
    expect((await moonpack(["inspect", "--hex", "--limit", "6"], { input: encode(value) })).stdout).toEqual(stdout);
    const whole = await moonpack(["inspect", "--hex", "--limit", "6", file(encode(value))]);
    expect(whole.stdout.toString()).toBe(`${stdout.toString().trimEnd()} of 47\n`);
  });

  test("--json: one object per line", async () => {
    const { stdout } = await moonpack(["inspect", file(encode([1])), "--json"]);
    const lines = stdout
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { offset: 0, end: 1, depth: 0, path: "$", role: "value", format: "fixarray", meaning: "array of 1" },
      { offset: 1, end: 2, depth: 1, path: "$[0]", role: "value", format: "positive fixint", meaning: "1" },
    ]);
  });

  test("invalid input is shown up to its error, exit 1", async () => {
    const path = file(encode(value).subarray(0, 20));
    const { code, stdout, stderr } = await moonpack(["inspect", path]);
    expect(code).toBe(1);
    expect(stdout.toString()).toContain('"name":');
    expect(stdout.toString()).toContain("broken");
    expect(stderr).toBe(
      `moonpack: ${path}: ERR_TRUNCATED: the input ends inside an item (at byte 18, 2 more needed)\n`,
    );
    const json = await moonpack(["inspect", path, "--json"]);
    expect(JSON.parse(json.stdout.toString().trimEnd().split("\n").at(-1)!).error.code).toBe("ERR_TRUNCATED");
    expect((await moonpack(["inspect", path, "--sizes"])).code).toBe(1);
  });

  test("malformed text does not end the dump, but the exit code is 1", async () => {
    const { code, stdout, stderr } = await moonpack(["inspect", "-"], { input: Buffer.from("92a2c32807", "hex") });
    expect(code).toBe(1);
    expect(stdout.toString()).toMatch(/positive fixint +7 {2}\$\[1\]\n$/);
    expect(stderr).toContain("standard input: ERR_INVALID_UTF8: ");
  });

  test("a sequence without --sequence: the error suggests it", async () => {
    const two = Buffer.concat([encode([1]), encode([2])]);
    const { code, stderr } = await moonpack(["inspect", "-"], { input: two });
    expect(code).toBe(1);
    expect(stderr).toMatch(/ERR_TRAILING_BYTES: .* \(at byte 2\); use --sequence to show them as further messages\n$/);
    const sequence = await moonpack(["inspect", "-", "--sequence"], { input: two });
    expect(sequence.code).toBe(0);
    expect(sequence.stdout.toString()).toContain("$[1][0]");
  });

  test("an empty file", async () => {
    const { code, stderr } = await moonpack(["inspect", "-"], { input: "" });
    expect([code, stderr]).toEqual([
      1,
      "moonpack: standard input: ERR_TRUNCATED: the input is empty (at byte 0, 1 more needed)\n",
    ]);
  });
});

describe("inspect of a pipe that stays open", () => {
  const record = encode({ id: 1, name: "Ann" });

  test.each(
    rows([
      ["messages", [Buffer.concat([record, record]), record], ["--sequence"], 16],
      ["messages as JSON", [record, record], ["--sequence", "--json"], 10],
      ["elements of an unfinished array", [Buffer.concat([Buffer.from("ddffffffff", "hex"), record])], [], 7],
    ] as const),
  )("shows %s as they arrive", async (_, chunks, options, lines) => {
    const child = spawn(process.execPath, [bin, "inspect", ...options], { env: plainEnvironment() });
    let shown = "";
    await new Promise<void>((resolve, reject) => {
      child.on("error", reject);
      child.stdout.on("data", (chunk) => {
        shown += chunk;
        if (shown.split("\n").length > lines) resolve();
      });
      for (const chunk of chunks) child.stdin.write(chunk);
    });
    child.kill();
    expect(shown).toContain("Ann");
  });

  test("text instead of MessagePack ends it at once", async () => {
    const child = spawn(process.execPath, [bin, "inspect", "--limit", "3"], { env: plainEnvironment() });
    child.stdin.on("error", () => {});
    child.stdin.write("a,b,c\n".repeat(100_000));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(1);
  });
});

describe("inspect --sizes", () => {
  test("bytes by key path: array elements added up, keys with their values, the total in $", async () => {
    const bytes = encode(value);
    const { code, stdout } = await moonpack(["inspect", file(bytes), "--sizes", "--json"]);
    const sizes = new Map(
      stdout
        .toString()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map(({ path, size, count }) => [path, [size, count]]),
    );
    expect(code).toBe(0);
    expect(Object.fromEntries(sizes)).toEqual({
      $: [bytes.length, 1],
      "$.users": [6 + 1 + 30, 1],
      "$.users[*]": [14 + 16, 2],
      "$.users[*].id": [3 + 1 + 3 + 3, 2],
      "$.users[*].name": [5 + 4 + 5 + 4, 2],
      '$["a b"]': [4 + 5, 1],
    });
  });

  test("largest first, as a table with shares", async () => {
    const { stdout } = await moonpack(["inspect", file(encode({ big: "x".repeat(981), small: 1 })), "--sizes"]);
    expect(stdout.toString()).toBe(
      [
        "bytes    share  count  each  path",
        "  996  100.0 %      1   996  $",
        "  988   99.2 %      1   988  $.big",
        "    7    0.7 %      1     7  $.small",
        "",
      ].join("\n"),
    );
  });

  test("many paths: the largest, and the number of others", async () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, index]));
    const { stdout } = await moonpack(["inspect", file(encode(wide)), "--sizes"]);
    expect(stdout.toString()).toContain(".. and 61 smaller paths; use --limit 101 to show all");
  });
});

describe("bench", () => {
  test("a table with moonpack first, and JSON", async () => {
    const path = fileOf("data.json", JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, name: `n${id}` }))));
    const { code, stdout, stderr } = await moonpack(["bench", path, "--rounds", "1"]);
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.toString().split("\n");
    expect(lines[0]).toMatch(/^library +bytes +encode MB\/s +vs moonpack +decode MB\/s +vs moonpack$/);
    expect(lines[1]).toMatch(/^moonpack +[\d,]+ +[\d,]+ +1\.00x +[\d,]+ +1\.00x$/);
    expect(lines[2]).toMatch(/^JSON /);
  });

  test("a MessagePack file; JSON is named and not timed when it does not read the value back", async () => {
    const { code, stdout } = await moonpack([
      "bench",
      file(encode({ data: new Uint8Array(100), id: 2n ** 60n })),
      "--rounds",
      "1",
    ]);
    expect(code).toBe(0);
    expect(stdout.toString()).toContain("\nJSON is not timed: ");
  });

  test("bad data", async () => {
    const { code, stderr } = await moonpack(["bench", file(Buffer.from([0xc1]))]);
    expect(code).toBe(1);
    expect(stderr).toContain("ERR_INVALID_BYTE");
  });

  test("a name without a known extension: the error says how the file was read", async () => {
    const { code, stderr } = await moonpack(["bench", fileOf("data.txt", "[1]")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/ERR_TRAILING_BYTES: .*; a file without \.json in its name is read as MessagePack\n$/);
  });
});
