import fc from "fast-check";
import { expect, test } from "vitest";
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
