import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvFormatter } from "../src/series/export-formats.js";
import { readPoints } from "./series-points.js";

const read = (text: string | Uint8Array, more = {}) => readPoints(text, { format: "csv", ...more });

describe("headers", () => {
  test.each([
    ["name,timestamp,value\ncpu,5,0.5\n", {}],
    ["metric,time,value\ncpu,5,0.5", {}],
    ["Value , TIME,\tMetric\r\n0.5, 5 ,cpu\r\n", {}],
    ["\ufeffname,timestamp,value\ncpu,5,0.5\n", {}],
    ['"name","timestamp","value"\n"cpu","5","0.5"\n', {}],
    ["\n\nname,timestamp,value\n\ncpu,5,0.5\n\n", {}],
    ["name,timestamp,value,type\ncpu,5,0.5,float\n", {}],
  ])("%j", async (text, more) => {
    expect(await read(text, more)).toMatchObject({ points: ["cpu 5 0.5"], errors: [] });
  });

  test("tags are the columns of --tags, all others, or those with a prefix", async () => {
    const text = "name,host,dc,timestamp,value\ncpu,a1,,5,1\n";
    expect((await read(text, { tags: ["host", "dc"] })).points).toEqual(['cpu{host="a1"} 5 1']);
    expect((await read(text, { tags: "*" })).points).toEqual(['cpu{host="a1"} 5 1']);
    expect(await read(text, { tags: ["dc"] })).toMatchObject({ points: ["cpu 5 1"], ignored: { columns: ["host"] } });
    const prefixed = "name,tag:value,tag:tag:x,timestamp,value\ncpu,a,b,5,1\n";
    expect((await read(prefixed)).points).toEqual(['cpu{tag:x="b",value="a"} 5 1']);
    const type = "name,type,timestamp,value\ncpu,gauge,5,1\n";
    expect((await read(type, { tags: ["type"] })).points).toEqual(['cpu{type="gauge"} 5 1']);
  });

  test.each([
    ["", undefined, "1 ERR_TRUNCATED the input is empty, but CSV needs a header"],
    [
      "cpu,5,1\n",
      undefined,
      '1 ERR_TRUNCATED the header has no column timestamp; it needs name, timestamp and value: "cpu", "5", "1"; ' +
        "--time-column names another",
    ],
    [
      "name,value\ncpu,1\n",
      undefined,
      '1 ERR_TRUNCATED the header has no column timestamp; it needs name, timestamp and value: "name", "value"; ' +
        "--time-column names another",
    ],
    ["name,metric,time,value\n", undefined, "1 ERR_DUPLICATE_KEY the header has two columns for the name"],
    ["name,time,value,a,a\n", ["a"], '1 ERR_DUPLICATE_KEY the header has two columns for the tag "a"'],
    [
      "name,time,value\n",
      ["host"],
      '1 ERR_TRUNCATED the header has no column for the tag "host": "name", "time", "value"',
    ],
    [
      "name,time,value,host,dc\n",
      undefined,
      "1 ERR_UNSUPPORTED_TYPE the header has other columns: --tags host,dc makes them tags, --tags '' ignores them",
    ],
    ['name,time,"value\n', undefined, "1 ERR_TRUNCATED a quote is not closed before the end of the file"],
  ])("%j is refused", async (text, tags, error) => {
    expect(await read(text, { tags })).toMatchObject({ points: [], errors: [error] });
  });
});

const HEADER = "name,host,time,value\n";

test("cells in quotes may have commas, quotes and line breaks; errors have the row's last line", async () => {
  const text = `${HEADER}"a,b","say ""hi""",5,1\n"a","x\ny",5,z\nc,d,6,2\n`;
  expect(await read(text, { tags: "*" })).toMatchObject({
    points: ['"a,b"{host="say \\"hi\\""} 5 1', 'c{host="d"} 6 2'],
    errors: ['4 ERR_OUT_OF_RANGE the value "z" is not a number'],
  });
});

test.each([
  ["cpu,a,5", "2 ERR_TRUNCATED the row has 3 of 4 cells"],
  ["cpu,a,5,1,2", "2 ERR_TRUNCATED the row has 5 of 4 cells"],
  ["cpu,a,5,", "2 ERR_OUT_OF_RANGE the value is empty"],
  ["cpu,a,,1", "2 ERR_OUT_OF_RANGE the timestamp is empty"],
  [
    "cpu,a,yesterday,1",
    '2 ERR_OUT_OF_RANGE the timestamp "yesterday" is neither a number (of ms) nor an ISO 8601 time',
  ],
  ['cpu,a"b,5,1', "2 ERR_INVALID_BYTE a quote in a cell that does not start with one"],
])("%j is refused, and the next row is read", async (row, error) => {
  expect(await read(`${HEADER}${row}\ncpu,b,6,2\n`, { tags: "*" })).toMatchObject({
    points: ['cpu{host="b"} 6 2'],
    errors: [error],
  });
});

test("the start of the next row after a wrong closing quote is not known: nothing is read", async () => {
  for (const chunk of [5, 1000]) {
    const text = `${HEADER}cpu,b,4,1\ncpu,"a"b,5,1\ncpu,b,6,2\ncpu,"c",7,3\ncpu,d,8,4\n`;
    const { points, errors } = await read(text, { tags: "*", chunk });
    expect(points).toEqual(['cpu{host="b"} 4 1']);
    const error = "expected a delimiter or the end of the row after a closing quote; quotes in cells are doubled";
    expect(errors).toEqual([`3 ERR_INVALID_BYTE ${error}`]);
  }
});

test("cells with zero bytes or numbers in them are not taken for other cells", async () => {
  const rows = [
    ["a", "b", "c"],
    ["a", "b\0c", ""],
    ["a\0b", "c", ""],
    ["a", "b 1 c", ""],
    ["a 1 b", "c", ""],
  ];
  const text = rows.map((cells, i) => `${cells.join(",")},${i},1\n`).join("");
  const { written } = await read(`name,x,y,time,value\n${text}`, { tags: "*" });
  const metrics = written.map(({ metric: { name, tags } }) => [name, tags?.x ?? "", tags?.y ?? ""]);
  expect(metrics).toEqual(rows);
});

test("types of values", async () => {
  const text =
    "name,type,time,value\na,int64,5,9007199254740993\na,int64,6,1.5\nb,float,5,-0\nc,,5,7\nd,text,5,1\na,,7,8\n";
  expect(await read(text)).toMatchObject({
    points: ["a 5 9007199254740993i", "b 5 -0", "c 5 7", "a 7 8i"],
    errors: [
      '3 ERR_OUT_OF_RANGE the value "1.5" is not an integer',
      '6 ERR_UNSUPPORTED_TYPE the type "text" is neither float nor int64; for a tag use --tags type',
    ],
  });
  expect((await read("name,time,value\na,5,9007199254740993\n", { isInt64: true })).points).toEqual([
    "a 5 9007199254740993i",
  ]);
});

test("times are numbers of the unit, or ISO 8601", async () => {
  const text = "name,time,value\na,1700000000.5,1\na,2026-01-31T12:00:00+01:00,2\n";
  expect((await read(text, { unit: "s" })).points).toEqual(["a 1700000000500 1", "a 1769857200000 2"]);
});

test("a quote that is not closed is an error, not the rest of the file in memory", async () => {
  const rows = "cpu,b,6,2\n".repeat(300_000);
  const { points, errors } = await read(`${HEADER}cpu,b,5,1\ncpu,"b,6,2\n${rows}`, { tags: "*", chunk: 65_536 });
  expect(points).toEqual(['cpu{host="b"} 5 1']);
  expect(errors).toEqual(["3 ERR_INVALID_BYTE the row is longer than 1 MiB: perhaps a quote is not closed"]);
  const short = await read(`${HEADER}cpu,b,5,1\ncpu,"b,6,2\n`, { tags: "*" });
  expect(short.errors).toEqual(["3 ERR_TRUNCATED a quote is not closed before the end of the file"]);
});

test("invalid UTF-8 is refused; U+FFFD in valid text is not", async () => {
  const row = (host: Uint8Array) =>
    Buffer.concat([Buffer.from(`${HEADER}cpu,`), host, Buffer.from(",5,1\ncpu,b,6,2\n")]);
  expect(await read(row(Buffer.from("\ufffd")), { tags: "*" })).toMatchObject({
    points: ['cpu{host="\ufffd"} 5 1', 'cpu{host="b"} 6 2'],
    errors: [],
  });
  for (const chunk of [1, 7, 1000])
    expect(await read(row(Buffer.from([0xff])), { tags: "*", chunk })).toMatchObject({
      points: ['cpu{host="b"} 6 2'],
      errors: ["2 ERR_INVALID_UTF8 the row is not valid UTF-8"],
    });
});

test("what export writes is read back: any name, tags and value, however it arrives", async () => {
  const word = fc.string({
    unit: fc.constantFrom("a", ",", " ", '"', "\\", "é", "\ufeff", ":", "value", "tag:"),
    minLength: 1,
    maxLength: 6,
  });
  const value = fc.oneof(
    fc.double(),
    fc.constantFrom(NaN, Infinity, -0),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  );
  const point = fc.record({
    name: word,
    tags: fc.dictionary(word, word, { maxKeys: 3 }),
    timestamp: fc.nat(2 ** 31),
    value,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(point, { selector: ({ name }) => name }),
      fc.integer({ min: 1, max: 50 }),
      async (points, chunk) => {
        const metrics = points.map(({ name, tags, value }, id) => {
          const type = typeof value === "bigint" ? ("int64" as const) : ("float" as const);
          return { id, name, tags, type };
        });
        async function* all() {
          yield* metrics;
        }
        const formatter = await csvFormatter(all());
        const lines = points.map(({ timestamp, value }, i) => formatter.of(metrics[i]!)(timestamp, value));
        const { written, errors } = await read(formatter.head + lines.join(""), { tags: "*", chunk });
        expect(errors).toEqual([]);
        expect(written).toHaveLength(points.length);
        for (const [i, { metric, timestamp, value }] of written.entries()) {
          const { name, tags, type } = metrics[i]!;
          expect(metric).toMatchObject({ name, tags: { ...tags }, type });
          expect(timestamp).toBe(points[i]!.timestamp);
          expect(type === "int64" ? BigInt(value) : value).toBe(points[i]!.value);
        }
      },
    ),
    { numRuns: 300 },
  );
});
