import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { convertBytes } from "./in-process.js";
import { convert, emptyFolder, fileOf, moonpack } from "./run.js";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
// By the command.
const fromJson = async (json: string | Uint8Array, ...more: string[]): Promise<string> =>
  hex(await convert(json, "--from", "json", ...more));
const toJson = async (bytes: Uint8Array, ...more: string[]): Promise<string> =>
  (await convert(bytes, "--from", "msgpack", ...more)).toString();
// The same conversions in this process: a process takes 300 times as long as most of them.
const packed = (json: string | Uint8Array): Promise<Buffer> =>
  convertBytes(Buffer.from(json as string), { from: "json", to: "msgpack" });
const unpacked = (bytes: Uint8Array): Promise<Buffer> => convertBytes(bytes, { from: "msgpack", to: "json" });

describe("JSON to MessagePack", () => {
  test("a value of every kind, as our encoder writes it", async () => {
    const value = { a: [1, -1, 1.5, "é", true, false, null, {}, []], "": "", 日本: "語" };
    expect(await fromJson(JSON.stringify(value))).toBe(hex(encode(value)));
  });

  test.each([
    ["9007199254740991", "cf001fffffffffffff"],
    ["9007199254740993", "cf0020000000000001"],
    ["18446744073709551615", "cfffffffffffffffff"],
    ["-9223372036854775808", "d38000000000000000"],
    ["-9007199254740993", "d3ffdfffffffffffff"],
    ["1.5", "ca3fc00000"],
    ["0.1", "cb3fb999999999999a"],
    ["-0", "ca80000000"],
    ["-0.0", "ca80000000"],
    ["1e3", "cd03e8"],
    ["1E+2", "64"],
    ["1e300", "cb7e37e43c8800759c"],
    ["9007199254740994.0", "cb4340000000000001"],
    ["9007199254740992.0", "ca5a000000"],
    ["9007199254740993.0", "cf0020000000000001"],
    ["-9007199254740993.0", "d3ffdfffffffffffff"],
    ["9.007199254740993e15", "cf0020000000000001"],
    ["90071992547409930e-1", "cf0020000000000001"],
    ["1152921504606847000.0", "ca5d800000"],
    ["1.1529215046068470e18", "ca5d800000"],
    ["1152921504606846976.0", "ca5d800000"],
    ["1152921504606846977.0", "cf1000000000000001"],
    ["9007199254740993.5", "cb4340000000000001"],
    ["1e23", "cb44b52d02c7e14af6"],
    ["1.7976931348623157e308", "cb7fefffffffffffff"],
    [`${BigInt(1e300)}.0`, "cb7e37e43c8800759c"],
    ["5e-324", "cb0000000000000001"],
    ["0e-400", "00"],
    ["-0.0E9", "ca80000000"],
    ["0.10000000000000000000000000001", "cb3fb999999999999a"],
  ])("%s is exact", async (json, bytes) => {
    expect(hex(await packed(json))).toBe(bytes);
    expect(hex(await packed(`[${json}]`))).toBe(`91${bytes}`);
  });

  test("unusual keys: __proto__, constructor, duplicates, digits in their order", async () => {
    const json = '{"__proto__":{"x":1},"constructor":7,"b":1,"2":0,"1":0,"b":2}';
    const map = decode<Map<string, unknown>>(await convert(json, "--from", "json"), { maps: "map" });
    expect([...map]).toEqual([
      ["__proto__", new Map([["x", 1]])],
      ["constructor", 7],
      ["b", 2],
      ["2", 0],
      ["1", 0],
    ]);
  });

  test("surrogate pairs, raw and escaped; a byte order mark; blanks around", async () => {
    expect(await fromJson('\ufeff \n"\\ud83d\\ude00😀"\t')).toBe(hex(encode("😀😀")));
  });

  test("--canonical sorts keys", async () => {
    expect(await fromJson('{"b":1,"a":{"d":1,"c":2}}', "--canonical")).toBe(hex(encode({ a: { c: 2, d: 1 }, b: 1 })));
  });

  test("512 containers may be open, 513 may not", async () => {
    expect(await fromJson("[".repeat(512) + "]".repeat(512))).toBe("91".repeat(511) + "90");
    await refuses("[".repeat(513) + "]".repeat(513), "ERR_LIMIT_DEPTH", 512);
    await refusesAsProcess("[".repeat(100_000), "ERR_LIMIT_DEPTH", 512);
  });
});

/** Expects an error with a code and an offset. */
async function refuses(json: string | Uint8Array, code: string, offset: number): Promise<void> {
  await expect(packed(json)).rejects.toMatchObject({ code, offset });
}

/** Expects exit 1, one line with the code and the offset, and no output. */
async function refusesAsProcess(json: string | Uint8Array, code: string, offset: number): Promise<void> {
  const { code: exit, stdout, stderr } = await moonpack(["convert", "--from", "json"], { input: json });
  // All of these texts are one line.
  const place = json.length === 0 ? "" : `, line 1 column ${offset + 1}`;
  expect(stderr).toMatch(new RegExp(`^moonpack: standard input: ${code}: .* \\(at byte ${offset}\\)${place}\n$`));
  expect([exit, stdout.length]).toEqual([1, 0]);
}

describe("invalid JSON has an error with code and offset", () => {
  test.each([
    ["18446744073709551616", "ERR_OUT_OF_RANGE", 0],
    ["[1, -9223372036854775809]", "ERR_OUT_OF_RANGE", 4],
    [`{"a":${"9".repeat(1000)}}`, "ERR_OUT_OF_RANGE", 5],
    ["[1e400]", "ERR_OUT_OF_RANGE", 1],
    ["[-1e400]", "ERR_OUT_OF_RANGE", 1],
    ["[1,1e-400]", "ERR_OUT_OF_RANGE", 3],
    [`[-0.${"0".repeat(400)}1]`, "ERR_OUT_OF_RANGE", 1],
    [`[0.${"0".repeat(290)}1e-99]`, "ERR_OUT_OF_RANGE", 1],
    ["[0,18446744073709551617.0]", "ERR_OUT_OF_RANGE", 3],
    ["[1.8446744073709551617e19]", "ERR_OUT_OF_RANGE", 1],
    ["", "ERR_TRUNCATED", 0],
    [" \n", "ERR_TRUNCATED", 2],
    ["[1,2", "ERR_TRUNCATED", 4],
    ['{"a":', "ERR_TRUNCATED", 5],
    ['"abc', "ERR_TRUNCATED", 4],
    ["tru", "ERR_TRUNCATED", 3],
    ["[1,]", "ERR_INVALID_BYTE", 3],
    ["[,1]", "ERR_INVALID_BYTE", 1],
    ["[1 2]", "ERR_INVALID_BYTE", 3],
    ["{a:1}", "ERR_INVALID_BYTE", 1],
    ["{'a':1}", "ERR_INVALID_BYTE", 1],
    ['{"a" 1}', "ERR_INVALID_BYTE", 5],
    ['{"a":1,}', "ERR_INVALID_BYTE", 7],
    ["[1}", "ERR_INVALID_BYTE", 2],
    ["]", "ERR_INVALID_BYTE", 0],
    ["nul]", "ERR_INVALID_BYTE", 3],
    ["01", "ERR_TRAILING_BYTES", 1],
    ["+1", "ERR_INVALID_BYTE", 0],
    ["[.5]", "ERR_INVALID_BYTE", 1],
    ["[1.]", "ERR_INVALID_BYTE", 3],
    ["NaN", "ERR_INVALID_BYTE", 0],
    ["[1] // one", "ERR_TRAILING_BYTES", 4],
    ['"a\tb"', "ERR_INVALID_BYTE", 2],
    ['"\\x"', "ERR_INVALID_BYTE", 2],
    ["1 2", "ERR_TRAILING_BYTES", 2],
    ['{"a":1} {"a":2}', "ERR_TRAILING_BYTES", 8],
    ['["\\ud800"]', "ERR_INVALID_UTF8", 2],
    ['["x", "ab\\udc00\\ud800"]', "ERR_INVALID_UTF8", 9],
    ['{"\\ud83d":1}', "ERR_INVALID_UTF8", 2],
    ['["\\ud83d\\ud83d\\ude00"]', "ERR_INVALID_UTF8", 2],
    [Buffer.from([0x5b, 0x22, 0x61, 0xff, 0x22, 0x5d]), "ERR_INVALID_UTF8", 3],
    [Buffer.from([0x22, 0xc0, 0x80, 0x22]), "ERR_INVALID_UTF8", 1],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "ERR_INVALID_UTF8", 1],
    ["[1,\ufeff2]", "ERR_INVALID_BYTE", 3],
  ])("%j", refuses);

  test.each([
    ["[1,1e-400]", "ERR_OUT_OF_RANGE", 3],
    ["", "ERR_TRUNCATED", 0],
    ["[1} ", "ERR_INVALID_BYTE", 2],
    ["1 2", "ERR_TRAILING_BYTES", 2],
    [Buffer.from([0x5b, 0x22, 0x61, 0xff, 0x22, 0x5d]), "ERR_INVALID_UTF8", 3],
  ])("%j, by the command: exit 1 and one line", refusesAsProcess);

  test("the error names the file, line and column", async () => {
    const path = fileOf("data.json", '{\n  "a": 1,\n  "b": 0x10\n}\n');
    const { code, stderr } = await moonpack(["convert", path]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `moonpack: ${path}: ERR_INVALID_BYTE: expected "," or "}", found "x" (at byte 20), line 3 column 9\n`,
    );
  });

  test("the error names a lone surrogate", async () => {
    const { stderr } = await moonpack(["convert", "--from", "json"], { input: '{"a":"x\\uD83Dy"}' });
    expect(stderr).toBe(
      "moonpack: standard input: ERR_INVALID_UTF8: \\ud83d is a lone surrogate: only a pair of surrogates is a character (at byte 7), line 1 column 8\n",
    );
  });
});

describe("MessagePack to JSON", () => {
  test("a value of every kind", async () => {
    const value = { a: [1, -1, 1.5, 0.1, "é\n\u2028", true, false, null, {}, []], "": "" };
    expect(await toJson(encode(value))).toBe(`${JSON.stringify(value)}\n`);
  });

  test("-0 and floats beyond 2^53 stay floats", async () => {
    expect(await toJson(encode([-0, 1e20, 2 ** 60, 1e300, 5e-324]))).toBe(
      "[-0.0,100000000000000000000.0,1152921504606847000.0,1e+300,5e-324]\n",
    );
  });

  test("every power of two and its neighbours read back as the float", async () => {
    const powers = Array.from({ length: 2098 }, (_, index) => 2 ** (index - 1074));
    const floats = powers.flatMap((power) => [power, -power, power * (1 + 2 ** -52), power * (1 - 2 ** -53)]);
    const bytes = encode(floats.filter((float) => Number.isFinite(float) && float !== 0));
    expect(await convert(await convert(bytes, "--from", "msgpack"), "--from", "json")).toEqual(Buffer.from(bytes));
  });

  test("--pretty is what JSON.stringify(value, null, 2) writes", async () => {
    const value = { a: [1, [], {}, { b: [2, 3] }], c: "d" };
    expect(await toJson(encode(value), "--pretty")).toBe(`${JSON.stringify(value, null, 2)}\n`);
  });

  test("--big-integers writes the digits, and they read back equal", async () => {
    const bytes = encode([2n ** 64n - 1n, -(2n ** 63n)]);
    const json = await toJson(bytes, "--big-integers");
    expect(json).toBe("[18446744073709551615,-9223372036854775808]\n");
    expect(await fromJson(json)).toBe(hex(bytes));
  });

  test.each<[unknown, string, string, string]>([
    [{ a: [0, new Uint8Array(2)] }, "ERR_UNSUPPORTED_TYPE", "binary data", "$.a[1]"],
    [{ "a b": 2n ** 63n }, "ERR_UNSAFE_INTEGER", "9223372036854775808", '$["a b"]'],
    [[NaN], "ERR_UNSUPPORTED_TYPE", "NaN", "$[0]"],
    [-Infinity, "ERR_UNSUPPORTED_TYPE", "-Infinity", "$"],
    [[new Date(0)], "ERR_UNSUPPORTED_TYPE", "a timestamp", "$[0]"],
    [{ m: new Map([[1, 2]]) }, "ERR_UNSUPPORTED_TYPE", "keys that are not strings", "$.m"],
  ])("a value that JSON cannot hold is an error with its path: %o", async (value, error, what, path) => {
    const { code, stdout, stderr } = await moonpack(["convert", "--from", "msgpack"], { input: encode(value) });
    expect([code, stdout.length]).toEqual([1, 0]);
    expect(stderr).toContain(`moonpack: standard input: ${error}: JSON cannot hold`);
    expect(stderr).toContain(what);
    expect(stderr).toContain("--typed");
    expect(stderr.endsWith(` (at ${path})\n`)).toBe(true);
  });

  test.each<[string, string, string]>([
    ["", "ERR_TRUNCATED", "at byte 0"],
    ["92", "ERR_TRUNCATED", "at byte 0, 2 more needed"],
    ["c1", "ERR_INVALID_BYTE", "at byte 0"],
    ["93a161c1c0", "ERR_INVALID_BYTE", "at byte 3"],
    ["91a2c328", "ERR_INVALID_UTF8", "at byte 1"],
    ["c0c0", "ERR_TRAILING_BYTES", "at byte 1"],
    ["ddffffffff", "ERR_TRUNCATED", "at byte 0"],
    ["dbffffffff61", "ERR_TRUNCATED", "at byte 0"],
  ])("invalid bytes %s: %s %s", async (bytes, error, where) => {
    const failed = await unpacked(Buffer.from(bytes, "hex")).catch((thrown: unknown) => thrown);
    expect(failed).toMatchObject({ code: error, message: expect.stringContaining(`(${where}`) });
  });

  test("invalid bytes, by the command: exit 1 and one line", async () => {
    const { code, stdout, stderr } = await moonpack(["convert", "--from", "msgpack"], {
      input: Buffer.from("93a161c1c0", "hex"),
    });
    expect([code, stdout.length]).toEqual([1, 0]);
    expect(stderr).toMatch(/^moonpack: standard input: ERR_INVALID_BYTE: .* \(at byte 3\)\n$/);
  });

  test("nesting beyond the limit, truncated or well-formed", async () => {
    const { stderr } = await moonpack(["convert", "--from", "msgpack"], { input: Buffer.alloc(100_000, 0x91) });
    expect(stderr).toContain("ERR_LIMIT_DEPTH");
    const { code, stderr: chain } = await moonpack(["convert", "--from", "msgpack"], {
      input: Buffer.from("dcffff".repeat(24_000), "hex"),
    });
    expect(code).toBe(1);
    expect(chain).toMatch(/ERR_(TRUNCATED|LIMIT_DEPTH)/);
  });
});

describe("lines and sequences", () => {
  const values = [{ a: 1 }, [2], "drei\n", null, 1.5];
  const lines = values.map((value) => JSON.stringify(value)).join("\n");
  const sequence = Buffer.concat(values.map((value) => encode(value)));

  test("NDJSON to a sequence and back; blank lines and \\r\\n are ignored; the last line needs no line feed", async () => {
    expect(await convert(lines, "--from", "ndjson")).toEqual(sequence);
    expect(await convert(`\r\n${lines.replaceAll("\n", " \r\n\n")}\n`, "--from", "ndjson")).toEqual(sequence);
    expect((await convert(sequence, "--from", "msgpack", "--to", "ndjson")).toString()).toBe(`${lines}\n`);
  });

  test("empty input has no messages", async () => {
    expect((await convert("", "--from", "ndjson")).length).toBe(0);
    expect((await convert("", "--from", "msgpack", "--to", "ndjson")).length).toBe(0);
  });

  test("an error names byte, line and column; two values on a line are an error", async () => {
    const path = fileOf("events.jsonl", '{"a":1}\n{"a":2} {"a":3}\n');
    const { code, stderr } = await moonpack(["convert", path, "out.mp"]);
    expect(code).toBe(1);
    expect(stderr).toContain("ERR_TRAILING_BYTES: there is more text after the value (at byte 16), line 2 column 9");
  });

  test("a value over several lines is not valid NDJSON", async () => {
    const { stderr } = await moonpack(["convert", "--from", "ndjson"], { input: '{"a":\n1}\n' });
    expect(stderr).toContain("ERR_TRUNCATED");
  });

  test("a sequence does not become one JSON value", async () => {
    const { code, stderr } = await moonpack(["convert", "--from", "msgpack"], { input: sequence });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "ERR_TRAILING_BYTES: there are more bytes after the message; use --to ndjson to convert a sequence of messages (at byte 4)",
    );
  });
});

describe("formats", () => {
  test.each(["msgpack", "mp", "mpk", "MP"])("names set the formats: .json to .%s and back", async (extension) => {
    const folder = emptyFolder();
    const input = fileOf("in.json", "[1,2]");
    expect((await moonpack(["convert", input, `x.${extension}`], { cwd: folder })).code).toBe(0);
    expect(hex(readFileSync(join(folder, `x.${extension}`)))).toBe("920102");
    expect((await moonpack(["convert", `x.${extension}`], { cwd: folder })).stdout.toString()).toBe("[1,2]\n");
  });

  test("options win over names; both sides may be the same format", async () => {
    const path = fileOf("data.json", "1\n2\n");
    expect(hex((await moonpack(["convert", path, "--from", "ndjson"])).stdout)).toBe("0102");
    expect((await convert("[1, 2.50]", "--from", "json", "--to", "json")).toString()).toBe("[1,2.5]\n");
    expect(hex(await convert(Buffer.from("d20000000180", "hex"), "--from", "msgpack", "--to", "msgpack"))).toBe("0180");
  });

  test("a pipe's format follows from the other side's name", async () => {
    const folder = emptyFolder();
    expect((await moonpack(["convert", "-", "x.mp"], { cwd: folder, input: "[1]" })).code).toBe(0);
    expect(
      (await moonpack(["convert", "-", "y.json"], { cwd: folder, input: readFileSync(join(folder, "x.mp")) })).code,
    ).toBe(0);
    expect(readFileSync(join(folder, "y.json"), "utf8")).toBe("[1]\n");
  });

  test("under npm a path is relative to the user's folder", async () => {
    const [project, user] = [emptyFolder(), emptyFolder()];
    const env = { INIT_CWD: user, npm_package_json: join(project, "package.json") };
    expect((await moonpack(["convert", "-", "x.mp"], { cwd: project, env, input: "[1]" })).code).toBe(0);
    expect(hex(readFileSync(join(user, "x.mp")))).toBe("9101");
  });
});
