import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineFormatter } from "../src/series/export-formats.js";
import { NOW, readPoints } from "./series-points.js";

const read = (text: string | Uint8Array, more = {}) => readPoints(text, { format: "line", ...more });

describe("lines and their points", () => {
  test.each([
    ["cpu load=0.5 1700000000123456789", ["cpu.load 1700000000123 0.5"]],
    [
      "cpu,host=a1,dc=x load=0.5,cores=8i 1700000000000000000",
      ['cpu.load{dc="x",host="a1"} 1700000000000 0.5', 'cpu.cores{dc="x",host="a1"} 1700000000000 8i'],
    ],
    ["cpu load=1", [`cpu.load ${NOW} 1`]],
    ["  cpu   load=1   5000000  ", ["cpu.load 5 1"]],
    ["cpu up=true,down=F,on=t,off=FALSE 0", ["cpu.up 0 1", "cpu.down 0 0", "cpu.on 0 1", "cpu.off 0 0"]],
    ["cpu a=18446744073709551i 0", ["cpu.a 0 18446744073709551i"]],
    [
      "cpu a=9223372036854775807i,b=-9223372036854775808i,c=7u 0",
      ["cpu.a 0 9223372036854775807i", "cpu.b 0 -9223372036854775808i", "cpu.c 0 7i"],
    ],
    ["cpu a=-1.5e-3,b=.5,c=1.,d=-0 0", ["cpu.a 0 -0.0015", "cpu.b 0 0.5", "cpu.c 0 1", "cpu.d 0 -0"]],
    ["cpu a=NaN,b=-Inf,c=+inf 0", ["cpu.a 0 NaN", "cpu.b 0 -Infinity", "cpu.c 0 Infinity"]],
    ["temp,__name__=temp value=21 0", ["temp 0 21"]],
    [
      "a\\ b\\,c\\=d,k\\ e\\,y\\==v\\ a\\,l\\=ue f\\ i\\,e\\=ld=1 0",
      ['"a b,c\\\\=d.f i,e=ld"{"k e,y="="v a,l=ue"} 0 1'],
    ],
    ["cpu,path=C:\\temp\\x load=1 0", ['cpu.load{path="C:\\\\temp\\\\x"} 0 1']],
    ["cpu,__proto__=x load=1 0", ['cpu.load{__proto__="x"} 0 1']],
    ["日本,ホスト=東京 負荷=1 0", ['日本.負荷{ホスト="東京"} 0 1']],
    ["# a comment", []],
    ["", []],
    ["   ", []],
  ])("%j", async (line, points) => {
    expect(await read(line)).toMatchObject({ points, errors: [] });
  });

  test("strings are passed over and counted, whatever is in them", async () => {
    const text = 'log,host=a msg="a, b=\\"c\\" d",level="x y",code=5i,last="" 0\nlog msg="only"\n';
    expect(await read(text)).toMatchObject({
      points: ['log.code{host="a"} 0 5i'],
      errors: [],
      ignored: { strings: 4 },
    });
  });

  test.each([
    ["ns", "1700000000123999999"],
    ["us", "1700000000123999"],
    ["ms", "1700000000123"],
    ["s", "1700000000"],
  ] as const)("timestamps in %s are cut to milliseconds", async (unit, time) => {
    const { points } = await read(`a b=1 ${time}`, { unit });
    expect(points).toEqual([`a.b 1700000000${unit === "s" ? "000" : "123"} 1`]);
  });

  test("with int64 every number must be an integer", async () => {
    expect(await read("a b=1,c=2i,d=9007199254740993 0\na b=1.5 0", { isInt64: true })).toMatchObject({
      points: ["a.b 0 1i", "a.c 0 2i", "a.d 0 9007199254740993i"],
      errors: ['2:5 ERR_OUT_OF_RANGE the value "1.5" is not an integer'],
    });
  });
});

test.each([
  ["cpu", "1:4 ERR_TRUNCATED the fields are missing"],
  ["cpu,host=a", "1:11 ERR_TRUNCATED the fields are missing"],
  ["cpu load", "1:5 ERR_INVALID_BYTE expected a field NAME=VALUE"],
  ["cpu load=1, 0", "1:12 ERR_INVALID_BYTE expected a field NAME=VALUE"],
  ["cpu =1 0", "1:5 ERR_INVALID_BYTE a field has no name"],
  ["cpu load= 0", "1:10 ERR_OUT_OF_RANGE the value is empty"],
  ["cpu load=abc 0", '1:10 ERR_OUT_OF_RANGE the value "abc" is not a number'],
  ["cpu load=1e400 0", '1:10 ERR_OUT_OF_RANGE the value "1e400" is too large for a 64-bit float'],
  ["cpu load=0x10 0", '1:10 ERR_OUT_OF_RANGE the value "0x10" is not a number'],
  ["cpu load=1.5i 0", '1:10 ERR_OUT_OF_RANGE the value "1.5i" is not a number'],
  ["cpu load=+1 0", '1:10 ERR_OUT_OF_RANGE the value "+1" is not a number'],
  ["cpu load=-1u 0", '1:10 ERR_OUT_OF_RANGE the value "-1u" is not a number'],
  ["cpu load=9223372036854775808i 0", '1:10 ERR_OUT_OF_RANGE "9223372036854775808" is not an int64: -2^63 to 2^63 - 1'],
  [
    "cpu load=18446744073709551615u 0",
    '1:10 ERR_OUT_OF_RANGE "18446744073709551615" is not an int64: -2^63 to 2^63 - 1',
  ],
  ["cpu load=1 abc", '1:12 ERR_OUT_OF_RANGE the timestamp "abc" is not an integer'],
  ["cpu load=1 5 7", "1:14 ERR_TRAILING_BYTES there is more text after the timestamp"],
  ["cpu load=1 -5", '1:12 ERR_OUT_OF_RANGE the timestamp "-5" is before 1970'],
  [
    "cpu load=1 99999999999999999999999",
    '1:12 ERR_OUT_OF_RANGE "99999999999999999999999" is not an int64: -2^63 to 2^63 - 1',
  ],
  [",host=a load=1", "1:1 ERR_INVALID_METRIC the measurement is empty"],
  ["cpu,host load=1", "1:5 ERR_INVALID_METRIC expected a tag NAME=VALUE"],
  ["cpu,host= load=1 0", '1:10 ERR_INVALID_METRIC the tag "host" has no value'],
  ["cpu,h\tx=a load=1 0", '1:6 ERR_INVALID_BYTE a measurement or tag has the control character "\\t"'],
  ['cpu,h\tx=a s="x" 0', '1:6 ERR_INVALID_BYTE a measurement or tag has the control character "\\t"'],
  ["cpu l\tx=1 0", '1:6 ERR_INVALID_BYTE the name of a field has the control character "\\t"'],
  ["# a\u0001", '1:4 ERR_INVALID_BYTE a comment has the control character "\\u0001"'],
  ["cpu,=a load=1", "1:5 ERR_INVALID_METRIC expected a tag NAME=VALUE"],
  ["cpu,a=1,a=2 load=1", '1:9 ERR_DUPLICATE_KEY the tag "a" occurs twice'],
  [
    "Disk,check=C:\\,host=h1 value=5 0",
    '1:20 ERR_INVALID_METRIC the value of the tag "check" has an unescaped =; ' +
      "a backslash before a comma makes the comma a part of the value",
  ],
  ["cpu,a=1 load=1,load=2", '1:16 ERR_DUPLICATE_KEY the field "load" occurs twice'],
  ["  cpu,a=1,a=2 load=1", '1:11 ERR_DUPLICATE_KEY the tag "a" occurs twice'],
  ['cpu msg="open 0', "1:9 ERR_TRUNCATED the quote of a string is not closed"],
  ['cpu msg="a"b 0', "1:12 ERR_INVALID_BYTE expected a comma or a blank after a string"],
])("%j is refused: %s", async (line, error) => {
  expect(await read(line)).toMatchObject({ points: [], errors: [error] });
});

test("a line with one wrong field leaves no points, and the next line is read", async () => {
  expect(await read("a b=1,c=x 0\na b=2 0")).toMatchObject({
    points: ["a.b 0 2"],
    errors: ['1:9 ERR_OUT_OF_RANGE the value "x" is not a number'],
  });
});

describe("strings with line breaks", () => {
  const points = async (text: string, chunk?: number) => {
    const { points, errors, ignored } = await read(text, chunk === undefined ? {} : { chunk });
    return { points, errors, strings: ignored.strings };
  };

  test.each([1, 7, 1000])("no point comes from within a string, %i bytes at a time", async (chunk) => {
    const text = 'log,host=a msg="first\ncpu load=1 0\r\n\n# last",code=5i 7000000\ncpu load=2 0\n';
    expect(await points(text, chunk)).toEqual({
      points: ['log.code{host="a"} 7 5i', "cpu.load 0 2"],
      errors: [],
      strings: 1,
    });
  });

  test("quotes and backslashes at the ends of lines", async () => {
    const text = 'a s="x\\\ny\\"\nb v=1 0\n",t="\n",u=3 0\na,k=" v=4 0\n';
    expect(await points(text)).toEqual({ points: ["a.u 0 3", 'a.v{k="\\""} 0 4'], errors: [], strings: 2 });
  });

  test("comments, tags, times and other fields open none", async () => {
    const text = '# it="\na,k=" v=1 0\nb v=2 0 "\nc v=3 0\nd s="x"="y 0\ne v=4 0\n';
    const { points: found, errors } = await points(text);
    expect(found).toEqual(['a.v{k="\\""} 0 1', "c.v 0 3", "e.v 0 4"]);
    expect(errors).toHaveLength(2);
  });

  test("a record that is wrong behind a line break has the place there, and the line after it is read", async () => {
    expect(await points('a s="x\ny",v=q 0\na v=2 0')).toMatchObject({
      points: ["a.v 0 2"],
      errors: ['2:6 ERR_OUT_OF_RANGE the value "q" is not a number'],
    });
    const bytes = Buffer.concat([Buffer.from('a s="x\n'), Buffer.of(0xff), Buffer.from('\nb v=1 0\n" 0\nc v=2 0')]);
    expect(await read(bytes)).toMatchObject({
      points: ["c.v 0 2"],
      errors: ["2 ERR_INVALID_UTF8 the line is not valid UTF-8"],
    });
  });

  test("a quote that is never closed is an error of its line", async () => {
    const open = "1:5 ERR_TRUNCATED the quote of a string is not closed";
    expect(await points('a s="x\nb v=1 0\nc v=2 0')).toMatchObject({ points: ["b.v 0 1", "c.v 0 2"], errors: [open] });
    const long = `a s="x\n${"b v=1 0\n".repeat(200_000)}d s="y",v=2 0\n`;
    const { points: found, errors } = await points(long);
    expect([found.length, errors]).toEqual([200_001, [open]]);
  });
});

test("random text neither hangs nor fails otherwise than with an error of its line", async () => {
  const unit = fc.constantFrom("a", ",", "=", " ", "\\", '"', "1", "i", ".", "#", "é", "\t");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit, maxLength: 30 }), { maxLength: 5 }), async (lines) => {
      const { errors } = await read(lines.join("\n"));
      for (const error of errors) expect(error).toMatch(/^\d+(:\d+)? ERR_[A-Z_]+ .+/);
    }),
    { numRuns: 500 },
  );
});

test("times whose nanoseconds are not an int64 are not written", async () => {
  const write = lineFormatter().of({ id: 0, name: "a.b", tags: {}, type: "float" });
  expect(await read(write(9_223_372_036_854, 1))).toMatchObject({ points: ["a.b 9223372036854 1"], errors: [] });
  expect(() => write(9_223_372_036_855, 1)).toThrow(
    "line protocol cannot hold a.b, which has a time after 2262-04-11; use ndjson or csv",
  );
});

test("without a unit, times that all are in 1970 are a question; with one they are times", async () => {
  for (const [time, unit] of [
    ["1700000000", "s"],
    ["1700000000000", "ms"],
    ["1700000000000000", "us"],
  ]) {
    const { points, errors } = await read(`a b=1 ${time}\n`, { guessesUnit: true });
    expect([points, errors]).toEqual([
      [],
      [
        "1 ERR_OUT_OF_RANGE are the timestamps in ns? All are in 1970 then, but from 2023-11-14 on in " +
          `${unit}: add --unit ${unit}, or --unit ns if 1970 is right`,
      ],
    ]);
    expect((await read(`a b=1 ${time}\n`, { unit })).points).toEqual(["a.b 1700000000000 1"]);
    expect((await read(`a b=1 ${time}\na b=2 1700000000000000000\n`, { guessesUnit: true })).points).toHaveLength(2);
  }
});

test("what export writes is read back: any name, tags and value", async () => {
  const word = fc.string({
    unit: fc.constantFrom("a", "b", ".", ",", "=", " ", "\\", '"', "#", "é", "\ufeff", "{"),
    minLength: 1,
    maxLength: 6,
  });
  const metric = fc.record({ name: word, tags: fc.dictionary(word, word, { maxKeys: 3 }) });
  const value = fc.oneof(
    fc.double(),
    fc.constantFrom(NaN, Infinity, -0),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  );
  await fc.assert(
    fc.asyncProperty(metric, fc.nat(2 ** 31), value, async ({ name, tags }, timestamp, value) => {
      const type = typeof value === "bigint" ? "int64" : "float";
      let text: string;
      try {
        text = lineFormatter().of({ id: 0, name, tags, type })(timestamp, value);
      } catch (error) {
        // Only what the format cannot hold.
        expect(String(error)).toContain("line protocol cannot hold");
        expect([name, ...Object.entries(tags).flat()].some((word) => word.endsWith("\\"))).toBe(true);
        return;
      }
      const { written, errors } = await read(text);
      expect(errors).toEqual([]);
      expect(written).toHaveLength(1);
      const [point] = written;
      expect(point!.metric).toMatchObject({ name, tags: { ...tags }, type });
      expect(point!.timestamp).toBe(timestamp);
      expect(typeof value === "bigint" ? BigInt(point!.value) : point!.value).toBe(value);
    }),
    { numRuns: 1000 },
  );
});
