import type { MetricHandle } from "@moonpack/series";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { annotatedCsvFormatter } from "../src/series/export-annotated-csv.js";
import { readPoints } from "./series-points.js";

const read = (text: string, more = {}) => readPoints(text, { format: "csv", ...more });
const T = 1_769_860_800_000;
const GROUP = "#group,false,false,true,true,false,false,true,true,true\n";
const TYPES = "#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string\n";
const DEFAULTS = "#default,_result,,,,,,,,\n";
const HEADER = ",result,table,_start,_stop,_time,_value,_field,_measurement,host\n";
const row = (time: string, value: string, field = "load", measurement = "cpu", host = "a1") =>
  `,,0,2026-01-31T00:00:00Z,2026-02-01T00:00:00Z,${time},${value},${field},${measurement},${host}\n`;

test("tables of an answer", async () => {
  const ints = TYPES.replace("double", "long");
  const text =
    `${GROUP}${TYPES}${DEFAULTS}${HEADER}${row("2026-01-31T12:00:00Z", "0.5")}${row("2026-01-31T12:00:01.5Z", "-1e3", "idle", "cpu", "b,2".replace(",", ""))}\r\n` +
    `${ints}${GROUP}${DEFAULTS}${HEADER}${row("2026-01-31T12:00:00Z", "9007199254740993", "cores")}${row("2026-01-31T12:00:00.000000001Z", "", "cores")}`;
  expect(await read(text)).toMatchObject({
    points: [
      `cpu.load{host="a1"} ${T} 0.5`,
      `cpu.idle{host="b2"} ${T + 1500} -1000`,
      `cpu.cores{host="a1"} ${T} 9007199254740993i`,
    ],
    errors: [],
    ignored: { emptyCells: 1, strings: 0 },
  });
});

test("defaults, types, and a pivoted table", async () => {
  const text = `#datatype,string,long,dateTime:number,string,boolean,unsignedLong,string,double,string
#group,false,false,false,true,false,false,false,false,true
#default,r,,,mem,,,,7,
,result,table,_time,_measurement,ok,used,note,free,host
,,0,${T}000000,,true,8,text,1.5,a1
,,0,${T}000000,disk,false,,x,,
`;
  expect(await read(text)).toMatchObject({
    points: [
      `mem.ok{host="a1"} ${T} 1`,
      `mem.used{host="a1"} ${T} 8i`,
      `mem.free{host="a1"} ${T} 1.5`,
      `disk.ok ${T} 0`,
      `disk.free ${T} 7`,
    ],
    errors: [],
    ignored: { strings: 2, emptyCells: 1 },
  });
});

test("without #group, columns of strings are tags; others beside _value are reported", async () => {
  const text = `#datatype,string,long,dateTime:RFC3339,double,string,string,double\n,result,table,_time,_value,_measurement,__name__,x\n,,0,2026-01-31T12:00:00Z,1,cpu,whole,3\n`;
  const { points, errors, ignored } = await read(text);
  expect({ points, errors, columns: [...ignored.columns!] }).toEqual({
    points: [`whole ${T} 1`],
    errors: [],
    columns: ["x"],
  });
});

test.each([
  [`#datatype,string\n,_time,x\n`, "2 ERR_TRUNCATED #datatype has 2 of 3 cells"],
  [`#group,true\n,_time\n`, "2 ERR_TRUNCATED a table has no row #datatype"],
  [`#datatype,double\n,_value\n`, '2 ERR_TRUNCATED a table has no column _time: "", "_value"'],
  [
    "#datatype,dateTime:RFC3339,decimal\n,_time,_value\n",
    '2 ERR_UNSUPPORTED_TYPE the column "_value" has the unknown type "decimal"',
  ],
  [
    "#datatype,string,long\n#group,true,true\n#default,,\n,error,reference\n,failed to create query,897\n",
    '5 ERR_UNSUPPORTED_TYPE the query failed: "failed to create query"',
  ],
  [
    `${TYPES}${HEADER}${row("x", "1")}`,
    '3 ERR_OUT_OF_RANGE the timestamp "x" is neither a number (of ms) nor an ISO 8601 time',
  ],
  [`${TYPES}${HEADER}${row("2026-01-31T12:00:00Z", "x")}`, '3 ERR_OUT_OF_RANGE the value "x" is not a number'],
  [`${TYPES}${HEADER},,0\n`, "3 ERR_TRUNCATED the row has 3 of 10 cells"],
  [`${TYPES}`, "1 ERR_TRUNCATED the input is empty, but CSV needs a header"],
])("%j is refused", async (text, error) => {
  expect(await read(text)).toMatchObject({ points: [], errors: [error] });
});

test("the options of other CSV do not apply", async () => {
  expect((await read(`${TYPES}${HEADER}`, { tags: "*" })).errors).toEqual([
    "1 ERR_UNSUPPORTED_TYPE InfluxDB's annotated CSV says what its columns are: --tags, --name, --time-column and --value-columns do not apply",
  ]);
});

test("random rows are points or errors, however they arrive", async () => {
  const lines = [
    GROUP,
    TYPES,
    DEFAULTS,
    HEADER,
    row("2026-01-31T12:00:00Z", "1"),
    "\n",
    ",,,\n",
    "#datatype\n",
    "a,b\n",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...lines), { maxLength: 12 }),
      fc.integer({ min: 1, max: 99 }),
      async (list, chunk) => {
        const text = TYPES + list.join("");
        const { errors } = await read(text, { chunk });
        for (const error of errors) expect(error).toMatch(/^\d+ ERR_[A-Z_]+ .+/);
        expect((await read(text)).errors).toEqual(errors);
      },
    ),
    { numRuns: 300 },
  );
});

describe("export", () => {
  const handle = (
    name: string,
    tags: Record<string, string> = {},
    type: "float" | "int64" = "float",
  ): MetricHandle => ({
    id: 1,
    name,
    tags,
    type,
  });
  type Points = readonly (readonly [time: number, value: number | bigint])[];

  async function written(metrics: readonly (readonly [MetricHandle, Points])[]): Promise<string> {
    const formatter = await annotatedCsvFormatter();
    const parts = metrics.map(([metric, points]) => {
      const timestamps = points.map(([time]) => time);
      const values = points.map(([, value]) => value);
      const text = formatter.batchesOf(metric);
      return [0, points.length].map((length) => text({ length, timestamps, values })).join("");
    });
    return formatter.head + parts.join("") + formatter.foot;
  }

  test("tables of metrics with the same columns", async () => {
    const text = await written([
      [handle("cpu.load", { host: "a,1" }), [[T, 0.5], [T + 1, Number.POSITIVE_INFINITY]]], // biome-ignore format: points
      [handle("cpu.load", { host: "b" }), [[T, -0]]],
      [handle("empty", { rack: "c" }), []],
      [handle("up", { host: "b" }, "int64"), [[T, 9_007_199_254_740_993n]]],
    ]);
    expect(text.split("\r\n")).toEqual([
      "#datatype,string,long,dateTime:RFC3339,double,string,string,string",
      "#group,false,false,false,false,true,true,true",
      "#default,_result,,,,,,",
      ",result,table,_time,_value,_field,_measurement,host",
      ',,0,2026-01-31T12:00:00.000Z,0.5,load,cpu,"a,1"',
      ',,0,2026-01-31T12:00:00.001Z,+Inf,load,cpu,"a,1"',
      ",,1,2026-01-31T12:00:00.000Z,-0,load,cpu,b",
      "",
      "#datatype,string,long,dateTime:RFC3339,long,string,string,string,string",
      "#group,false,false,false,false,true,true,true,true",
      "#default,_result,,,,,,,",
      ",result,table,_time,_value,_field,_measurement,__name__,host",
      ",,2,2026-01-31T12:00:00.000Z,9007199254740993,value,up,up,b",
      "",
    ]);
  });

  test("any metrics are read back", async () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "b", ".", ",", '"', " ", "=", "é", "\u{1f600}", "#", "_"),
      minLength: 1,
      maxLength: 6,
    });
    const float = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -Infinity, -0, 1e300, 5e-324));
    const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const time = fc.integer({ min: 0, max: 3e13 });
    const metric = fc.oneof(
      fc.tuple(
        word,
        fc.dictionary(word, word, { maxKeys: 3 }),
        fc.constant("float" as const),
        fc.array(fc.tuple(time, float), { maxLength: 3 }),
      ),
      fc.tuple(
        word,
        fc.dictionary(word, word, { maxKeys: 3 }),
        fc.constant("int64" as const),
        fc.array(fc.tuple(time, int), { maxLength: 3 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(metric, { maxLength: 6, selector: ([name]) => name }), async (metrics) => {
        const given = metrics.map(([name, tags, type, points]) => [handle(name, { ...tags }, type), points] as const);
        const { written: read, errors } = await readPoints(await written(given), { format: "annotated-csv" });
        expect(errors).toEqual([]);
        const expected = given.flatMap(([{ name, tags, type }, points]) =>
          points.map(([timestamp, value]) => ({ name, tags, type, timestamp, value: Number(value) })),
        );
        expect(
          read.map(({ metric, timestamp, value }) => {
            const { name, tags, type } = metric as MetricHandle;
            return { name, tags: { ...tags }, type, timestamp, value: Number(value) };
          }),
        ).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [{ _time: "x" }, 'a tag "_time"'],
    [{ result: "x" }, 'a tag "result"'],
    [{ __name__: "x" }, 'a tag "__name__"'],
    [{ error: "x", reference: "y" }, "the tags error and reference"],
  ])("a metric with the tags %j is refused", async (tags, what) => {
    await expect(written([[handle("a", tags), [[T, 1]]]])).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
      message: expect.stringContaining(what),
    });
  });

  test("the format reads annotated CSV only, and all the rest of the options do not apply", async () => {
    expect(await readPoints("name,timestamp,value\na,5,1\n", { format: "annotated-csv" })).toMatchObject({
      points: [],
      errors: ["1 ERR_TRUNCATED the first row is not an annotation: #datatype, #group or #default"],
    });
  });
});
