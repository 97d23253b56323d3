/** Formats of pipes, by their first bytes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { formatOfLines } from "../src/series/sniff-points.js";
import { sniff } from "../src/shared/sniff.js";
import { windowOf } from "./in-process.js";
import { rows } from "./rows.js";
import { emptyFolder, moonpack } from "./run.js";

async function formatOf(input: Uint8Array | string, perLine = false, chunk = 3): Promise<string | undefined> {
  return (await sniff(windowOf(Buffer.from(input), chunk, true), perLine))?.format;
}

test.each(
  rows<[string | Uint8Array, string | undefined]>([
    ['{"a":1}', "json"],
    ['{"a":1}\n', "json"],
    ['{"a":1}\n \r\n', "json"],
    ['{\n  "a": 1\n}\n', "json"],
    ["[\n1,\n2]\n", "json"],
    ['\n  ["a\\"[",2]\n', "json"],
    ['{"a":1}\n{"a":2}\n', "ndjson"],
    ['\r\n{"a":"}\\n"}\r\n\r\n[2]', "ndjson"],
    ["1\n2\n", "ndjson"],
    ['"a\\\\"\n"b"\n', "ndjson"],
    ["-1.5", "json"],
    ["true\n", "json"],
    ['\ufeff{"a":1}\n', "json"],
    [Buffer.from("PCK\x01rest", "latin1"), "pck"],
    [encode({ a: 1 }), "msgpack"],
    [encode("text"), "msgpack"],
    [Uint8Array.of(0xef), "msgpack"],
    [Uint8Array.of(5), "msgpack"],
    ["PCK", undefined],
    ["name,value\n", undefined],
    ["", undefined],
    [" \n", undefined],
  ]),
)("%j is %s", async (input, format) => {
  for (const chunk of [1, 3, 1000]) expect(await formatOf(input, false, chunk)).toBe(format);
});

test("per line, the first line is enough: NDJSON from a pipe that stays open", async () => {
  const lines = Buffer.from('{"a":1}\n');
  const window = windowOf(lines, 8, true);
  window.more = async () => {
    if (window.size > 0) throw new Error("waited for a second line");
    window.bytes.set(lines);
    window.end = lines.length;
    return true;
  };
  expect((await sniff(window, true))?.format).toBe("ndjson");
});

test("JSON of any form is JSON or NDJSON, and MessagePack of objects and lists is MessagePack", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), async (value) => {
      expect(await formatOf(JSON.stringify(value))).toBe("json");
      expect(await formatOf(JSON.stringify(value, null, 2))).toBe("json");
      expect(await formatOf(`${JSON.stringify(value)}\n${JSON.stringify(value)}`)).toBe("ndjson");
      expect(await formatOf(encode(value))).toBe("msgpack");
    }),
    { numRuns: 200 },
  );
});

describe("convert", () => {
  const convert = async (input: Uint8Array | string, ...args: string[]) => {
    const { code, stdout, stderr } = await moonpack(["convert", ...args], { input });
    return code === 0 ? stdout : Buffer.from(`exit ${code}: ${stderr}`);
  };

  test("JSON, NDJSON and MessagePack without --from", async () => {
    expect(await convert('{"a":1}')).toEqual(Buffer.from(encode({ a: 1 })));
    expect(await convert('{"a":1}\n[2]\n')).toEqual(Buffer.concat([encode({ a: 1 }), encode([2])]));
    expect((await convert(encode({ a: 1 }))).toString()).toBe('{"a":1}\n');
    expect((await convert('{"a": 1}', "--to", "json", "--pretty")).toString()).toBe('{\n  "a": 1\n}\n');
    expect((await convert("")).toString()).toContain(
      "exit 2: moonpack: the format of standard input is unknown, since it is empty: add --from json",
    );
    expect((await convert("name,value\n")).toString()).toContain("the format of standard input is unknown");
  });

  test("text that may be small integers of MessagePack stays MessagePack where JSON is written", async () => {
    expect((await convert(Uint8Array.of(0x31), "--to", "json")).toString()).toBe("49\n");
    expect((await convert(Uint8Array.of(0x31, 0x32), "--to", "ndjson")).toString()).toBe("49\n50\n");
    expect(await convert("12", "--to", "msgpack")).toEqual(Buffer.from([12]));
  });

  test("PCK: a container, a message, and JSON for them", async () => {
    const cwd = emptyFolder();
    const schema = join(cwd, "s.json");
    writeFileSync(schema, '{"pck":1,"root":"A","structs":{"A":{"fields":[{"name":"a","type":"u8"}]}}}');
    const message = await convert('{"a":7}', "--schema", schema);
    expect(message).toEqual(Buffer.of(7));
    expect((await convert(message, "--schema", schema)).toString()).toBe('{"a":7}\n');
    // A message of one byte that is also text.
    expect((await convert("7", "--schema", schema, "--to", "json")).toString()).toBe('{"a":55}\n');
    const container = await convert('{"a":7}\n{"a":8}\n', "--schema", schema);
    expect(container.subarray(0, 3).toString()).toBe("PCK");
    expect((await convert(container)).toString()).toBe('{"a":7}\n{"a":8}\n');
  });
});

test("pick and infer", async () => {
  const run = async (input: Uint8Array | string, ...args: string[]) => {
    const { code, stdout, stderr } = await moonpack(args, { input });
    return [code, code === 0 ? stdout.toString() : stderr];
  };
  expect(await run('{"a":1}', "pick", "-", "/a")).toEqual([0, "1\n"]);
  expect(await run('{"a":1}\n{"a":2}\n', "pick", "-", "/a")).toEqual([0, "1\n2\n"]);
  expect(await run('{\n"a":1}', "pick", "-", "/a")).toEqual([0, "1\n"]);
  expect(await run(encode({ a: 1 }), "pick", "-", "/a")).toEqual([0, "1\n"]);
  expect(await run(Buffer.concat([encode({ a: 1 }), encode({ a: 2 })]), "pick", "-", "/a", "--sequence")).toEqual([
    0,
    "1\n2\n",
  ]);
  expect(await run("PCK\x01", "pick", "-", "/a")).toEqual([2, expect.stringContaining("standard input is PCK")]);
  for (const input of ['{"a":1}\n{"a":2}\n', '[{"a":1},\n{"a":2}]', encode([{ a: 1 }, { a: 2 }])])
    expect(await run(input, "infer", "--quiet")).toEqual([0, expect.stringContaining("Inferred from 2 samples.")]);
  expect(await run("PCK\x01", "infer")).toEqual([2, expect.stringContaining("add --from json, ndjson or msgpack")]);
});

test.each(
  rows<[string, string | undefined]>([
    ['{"name":"m","tags":{},"timestamp":1700000000000,"value":1}', "ndjson"],
    ['{"metric":{"__name__":"up"},"values":[1],"timestamps":[1700000000000]}', "victoriametrics"],
    ['{__name__="up", job="a b"} 1 1700000000000', "tsdb-dump"],
    ["# HELP up Whether it is up.", "prometheus"],
    ["# TYPE up gauge", "prometheus"],
    ["up 1", "prometheus"],
    ['up{job="a b",x="y=z"} 1 1700000000000', "prometheus"],
    ["cpu,host=a1 load=0.5 1700000000000000000", "line"],
    ["cpu load=0.5,idle=2i", "line"],
    ["my\\ cpu,host=a\\ b load=0.5", "line"],
    ["# a comment\n\ncpu load=0.5", "line"],
    ["name,host,timestamp,value", "csv"],
    ["#group,false,false", "csv"],
    ["#datatype,string", "csv"],
    ["hello", undefined],
    ["", undefined],
  ]),
)("points: %j is %s", (text, format) => {
  expect(formatOfLines(text.split("\n"))).toBe(format);
});

test("series import recognises a pipe, also compressed, and refuses others before it creates a store", async () => {
  const inputs = [
    '{"name":"m","tags":{"a":"b"},"timestamp":1700000000000,"value":1}\n',
    "name,a,timestamp,value\nm,b,1700000000000,1\n",
    '# TYPE m gauge\nm{a="b"} 1 1700000000000\n',
    '{__name__="m", a="b"} 1 1700000000000\n',
  ];
  for (const text of inputs) {
    for (const input of [Buffer.from(text), gzipSync(text)]) {
      const cwd = emptyFolder();
      const tags = text.startsWith("name") ? ["--tags", "a"] : [];
      const { code, stderr } = await moonpack(["series", "import", "s", ...tags], { cwd, input });
      expect([code, stderr]).toEqual([0, ""]);
      const { stdout } = await moonpack(["series", "export", "s"], { cwd });
      expect(stdout.toString()).toBe(inputs[0]);
    }
  }
  const cwd = emptyFolder();
  for (const input of ["hello\n", ""]) {
    const { code, stderr } = await moonpack(["series", "import", "s", "-"], { cwd, input });
    expect([code, stderr]).toEqual([2, expect.stringContaining("the format of standard input is unknown")]);
  }
  expect((await moonpack(["series", "stats", "s"], { cwd })).stderr).toContain("no such folder");
});
