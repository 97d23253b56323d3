import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { randomSource } from "@moonpack/harness/random.ts";
import { decode, Extension, encode, Timestamp } from "moonpack";
import { Raw } from "moonpack/pick";
import { describe, expect, test } from "vitest";
import { isWhole, rows } from "./rows.js";
import { bin, emptyFolder, fileOf, moonpack, moonpackProcess, plainEnvironment } from "./run.js";

const order = {
  id: 7,
  user: { name: "Ada" },
  items: [{ sku: "A1", price: 5 }, { sku: "B2" }, 3],
  none: null,
  "a/b~c": 1,
};
const packed = fileOf("order.msgpack", encode(order));
const json = fileOf("order.json", JSON.stringify(order));

/** What a run prints; throws with its error text when it fails. */
async function pick(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await moonpack(["pick", ...args]);
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return stdout.toString();
}

describe.each([
  ["MessagePack", packed],
  ["JSON", json],
])("from %s", (_, file) => {
  test.each(
    rows<[string[], string]>([
      [["/user/name"], '"Ada"'],
      [["/user/name", "/items/0/sku"], '{"/user/name":"Ada","/items/0/sku":"A1"}'],
      [["/items/*/sku"], '["A1","B2",null]'],
      [["id=/id", "skus=/items/*/sku", "/none"], '{"id":7,"skus":["A1","B2",null],"/none":null}'],
      [["/missing"], "null"],
      [["m=/missing", "n=/none", "q=/items/0/price/x"], '{"n":null}'],
      [["/id/*", "/items/*"], '{"/items/*":[{"sku":"A1","price":5},{"sku":"B2"},3]}'],
      [["/a~1b~0c"], "1"],
      [["="], JSON.stringify(order).replace(/^/, '{"":').replace(/$/, "}")],
      [[""], JSON.stringify(order)],
      [["__proto__=/id", "7=/user"], '{"__proto__":7,"7":{"name":"Ada"}}'],
    ]),
  )("%j", async (paths, line) => {
    expect(await pick(file, ...paths)).toBe(`${line}\n`);
  });

  test("--raw: the bytes of the values", async () => {
    const bare = await moonpack(["pick", file, "--raw", "/user"]);
    expect(bare.stdout.equals(encode(order.user))).toBe(true);
    const named = await moonpack(["pick", file, "--raw", "id=/id", "prices=/items/*/price", "m=/missing"]);
    expect(named.stdout.equals(encode({ id: 7, prices: [5, null, null] }))).toBe(true);
  });
});

test("--raw keeps the form of each byte, and text that is not UTF-8", async () => {
  const long = Uint8Array.of(0xdf, 0, 0, 0, 1, 0xd9, 2, 0xff, 0xfe, 0xcd, 0, 1);
  const file = fileOf("long.msgpack", encode({ x: new Raw(long) }));
  const { stdout } = await moonpack(["pick", file, "--raw", "/x"]);
  expect(stdout.equals(long)).toBe(true);
});

test("values that JSON cannot hold are errors with their place, or keep their form", async () => {
  const held = { i: 2n ** 60n, b: Uint8Array.of(1), t: new Timestamp(1, 5), e: new Extension(7, Uint8Array.of(2)) };
  const file = fileOf("held.msgpack", encode({ ...held, n: NaN, m: new Map([[1, 2]]) }));
  for (const [path, text] of [
    ["/i", "ERR_UNSAFE_INTEGER: JSON cannot hold an integer beyond 2^53 (1152921504606846976)"],
    ["/b", "binary data"],
    ["/t", "a timestamp"],
    ["/e", "an extension of type 7"],
    ["/n", "NaN"],
    ["/m", "a map with keys that are not strings"],
  ] as const) {
    const { code, stdout, stderr } = await moonpack(["pick", file, path]);
    expect([code, stdout.length]).toEqual([1, 0]);
    expect(stderr.startsWith(`moonpack: ${file}: ERR_`)).toBe(true);
    expect(stderr).toContain(text);
    expect(stderr).toContain(`(at ${path})`);
  }
  expect(await pick(file, "--big-integers", "/i")).toBe("1152921504606846976\n");
  const names = ["i=/i", "b=/b", "t=/t", "e=/e", "n=/n", "m=/m"];
  const typed =
    '{"i":{"$int":"1152921504606846976"},"b":{"$bin":"AQ=="},"t":{"$time":"1970-01-01T00:00:01.000000005Z"},' +
    '"e":{"$ext":[7,"Ag=="]},"n":{"$float":"NaN"},"m":{"$map":[[1,2]]}}\n';
  expect(await pick(file, "--typed", ...names)).toBe(typed);
  expect(await pick(fileOf("held.json", typed), "--typed", "/t")).toBe('{"$time":"1970-01-01T00:00:01.000000005Z"}\n');
});

test("integers of JSON are exact, and its equal keys and limits are those of convert", async () => {
  expect(await pick(fileOf("a.json", '{"a":9007199254740993.0}'), "--big-integers", "/a")).toBe("9007199254740993\n");
  expect(await pick(fileOf("a.json", '{"2":1,"1":2,"a":1,"a":{"2":3,"1":4}}'), "/a", "/1")).toBe(
    '{"/a":{"2":3,"1":4},"/1":2}\n',
  );
  expect(await pick(fileOf("a.json", `${"[".repeat(511)}{"a":1}${"]".repeat(511)}`), "/0/0/0/x")).toBe("null\n");
});

describe("many messages", () => {
  const lines = ['{"level":"info","ms":1}', '{"level":"error"}', '{"ms":3}'];
  const sequence = fileOf("s.msgpack", Buffer.concat(lines.map((line) => encode(JSON.parse(line)))));
  const ndjson = fileOf("s.ndjson", `\ufeff\r\n ${lines.join("\r\n\n \t")}  `);

  test.each([
    ["a sequence", [sequence, "--sequence"]],
    ["NDJSON", [ndjson]],
  ])("%s: a line for each message", async (_, args) => {
    expect(await pick(...args, "/ms")).toBe("1\nnull\n3\n");
    expect(await pick(...args, "l=/level", "ms=/ms")).toBe('{"l":"info","ms":1}\n{"l":"error"}\n{"ms":3}\n');
    const raw = await moonpack(["pick", ...args, "--raw", "/level"]);
    expect(raw.stdout.equals(Buffer.concat(["info", "error", null].map((level) => encode(level))))).toBe(true);
  });

  test("none at all", async () => {
    for (const from of ["msgpack", "ndjson"]) {
      const args = ["pick", "-", "--from", from, "--sequence", "/a"];
      expect(await moonpack(args, { input: "" })).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("an error names its file, offset and line; the lines before it are printed", async () => {
    const cut = fileOf("cut.msgpack", Buffer.concat([encode({ a: 1 }), encode({ a: 2 }).subarray(0, 3)]));
    expect(await moonpack(["pick", cut, "--sequence", "/a"])).toMatchObject({
      code: 1,
      stdout: Buffer.from("1\n"),
      stderr: `moonpack: ${cut}: ERR_TRUNCATED: the input ends inside an item (at byte 7, 1 more needed)\n`,
    });
    const bad = fileOf("bad.ndjson", '{"a":1}\n{"a":2\n{"a":3}\n');
    expect(await moonpack(["pick", bad, "/a"])).toMatchObject({
      code: 1,
      stdout: Buffer.from("1\n"),
      stderr: `moonpack: ${bad}: ERR_TRUNCATED: expected "," or "}", but the text ends (at byte 14), line 2 column 7\n`,
    });
    const held = fileOf("held.msgpack", Buffer.concat([encode({ a: 1 }), encode({ a: [0, NaN] })]));
    const { stdout, stderr } = await moonpack(["pick", held, "--sequence", "/a"]);
    expect([stdout.toString(), stderr.endsWith("(at message 2: /a[1])\n")]).toEqual(["1\n", true]);
  });

  test("more than one value, where one is expected: the error names the option", async () => {
    expect((await moonpack(["pick", sequence, "/ms"])).stderr).toMatch(
      /ERR_TRAILING_BYTES: .* \(at byte 16\); use --sequence to read further messages\n$/,
    );
    expect((await moonpack(["pick", ndjson, "--from", "json", "/ms"])).stderr).toMatch(
      /ERR_TRAILING_BYTES: .* line 4 column 3; use --from ndjson to read further messages\n$/,
    );
  });

  test("of a pipe, lines are printed before it ends", async () => {
    for (const [from, input] of [
      ["msgpack", encode({ a: 1 })],
      ["ndjson", '{"a":1}\n'],
    ] as const) {
      const child = spawn(process.execPath, [bin, "pick", "-", "--from", from, "--sequence", "/a"], {
        env: plainEnvironment(),
        stdio: ["pipe", "pipe", "inherit"],
      });
      child.stdin.write(input);
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      expect(line.toString()).toBe("1\n");
      child.stdin.end();
      expect(await once(child, "close")).toEqual([0, null]);
    }
  });
});

/** A random value of JSON, with keys that recur. */
function randomValue(random: (below: number) => number, depth: number): unknown {
  const kind = random(depth > 0 ? 7 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random(2) === 0;
  if (kind === 2) return random(1e6) - 5e5;
  if (kind === 3) return random(1e6) / 1024;
  if (kind === 4) return "né".repeat(random(12));
  const items = Array.from({ length: random(5) }, () => randomValue(random, depth - 1));
  return kind === 5 ? items : Object.fromEntries(items.map((item) => ["abcd"[random(4)]!, item]));
}

/** The values at a path by its definition; undefined if there is none. */
function walk(value: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === "*") return Array.isArray(value) ? value.map((item) => walk(item, rest) ?? null) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, step) ? walk((value as Record<string, unknown>)[step], rest) : undefined;
}

test("random messages: what is picked is what decoding and walking finds", async () => {
  const random = randomSource(34);
  const messages = Array.from({ length: isWhole ? 3000 : 300 }, () => randomValue(random, 5));
  const paths = ["/a", "/*", "/a/b", "/b/*/c", "/*/1", "/c/0/d", "/*/*/a"];
  const expected = messages.map((message) => {
    const found = paths.map((path) => [path, walk(message, path.slice(1).split("/"))] as const);
    return `${JSON.stringify(Object.fromEntries(found.filter(([, value]) => value !== undefined)))}\n`;
  });
  const sequence = fileOf("random.msgpack", Buffer.concat(messages.map((message) => encode(message))));
  const ndjson = fileOf("random.ndjson", messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  expect(await pick(sequence, "--sequence", ...paths)).toBe(expected.join(""));
  expect(await pick(ndjson, ...paths)).toBe(expected.join(""));
});

test("a truncated or damaged message is an error of its file, or picked as it decodes", async () => {
  const bytes = encode(order);
  for (let size = 0; size < bytes.length; size += isWhole ? 5 : 17) {
    const { code, stderr } = await moonpack(["pick", "-", "--from", "msgpack", "/id"], { input: bytes.slice(0, size) });
    expect([code, stderr.includes("standard input: ERR_TRUNCATED: ")]).toEqual([1, true]);
  }
  for (const at of [0, 1, 5, 20, 30]) {
    const damaged = bytes.slice();
    damaged[at]! ^= 0x55;
    let expected: unknown;
    try {
      expected = decode<Record<string, unknown>>(damaged).id ?? null;
    } catch {
      continue;
    }
    const { stdout } = await moonpack(["pick", "-", "--from", "msgpack", "/id"], { input: damaged });
    expect(stdout.toString()).toBe(`${JSON.stringify(expected)}\n`);
  }
});

test("a large sequence, and one of large messages, need little memory", async () => {
  const folder = emptyFolder();
  const megabytes = process.env.CI === "true" || process.env.MOONPACK_ALL === "1" ? 1000 : 60;
  const file = join(folder, "large.msgpack");
  const to = openSync(file, "w");
  const small = Buffer.concat(
    Array.from({ length: 5000 }, (_, id) => encode({ id, tags: ["a", "b"], at: [1.5, "x"] })),
  );
  const large = encode({ id: -1, data: new Uint8Array(8_000_000) });
  let lines = 0;
  for (let size = 0; size < megabytes * 1e6; size += small.length + large.length) {
    writeSync(to, small);
    writeSync(to, large);
    lines += 5001;
  }
  closeSync(to);
  const { code, stdout, peak } = await moonpackProcess(["pick", file, "--sequence", "/id"]);
  expect(code).toBe(0);
  expect(stdout.toString().split("\n").length - 1).toBe(lines);
  expect(peak).toBeLessThan(150);
  rmSync(folder, { recursive: true });
}, 600_000);
