import { describe, expect, test } from "vitest";
import { TextTime } from "../src/series/text-time.js";
import { TimeFormat, timeFormatArgument } from "../src/series/time-format.js";
import { TimeZone, timeZoneArgument } from "../src/series/time-zone.js";
import { readPoints } from "./series-points.js";

const read = (text: string, more = {}) => readPoints(text, { format: "csv", ...more });
const time = (text: string) => Date.parse(text);

describe("columns", () => {
  test.each([
    ["time,value\n5,1\n", { name: "cpu" }, ["cpu 5 1"]],
    ["name,time,value\nx,5,1\n", { name: "cpu", tags: ["name"] }, ['cpu{name="x"} 5 1']],
    ["when,time,value\n5,9,1\n", { name: "cpu", timeColumn: "when", tags: [] }, ["cpu 5 1"]],
    ["time,a,b\n5,1,2\n", { valueColumns: ["a", "b"] }, ["a 5 1", "b 5 2"]],
    ["time,a,b\n5,1,2\n", { valueColumns: "*" }, ["a 5 1", "b 5 2"]],
    ["time,a,b\n5,1,2\n", { valueColumns: "*", name: "w" }, ["w.a 5 1", "w.b 5 2"]],
    ["name,time,a,b\nw,5,1,2\nv,6,3,4\n", { valueColumns: ["b", "a"] }, ["w.a 5 1", "w.b 5 2", "v.a 6 3", "v.b 6 4"]],
    ["time,city,a\n5,x,1\n", { valueColumns: "*", tags: ["city"] }, ['a{city="x"} 5 1']],
    ["time,city,a\n5,x,1\n", { valueColumns: ["a"], tags: "*" }, ['a{city="x"} 5 1']],
    ["time,type,value,a\n5,int64,7,1\n", { valueColumns: ["value", "a"] }, ["value 5 7i", "a 5 1i"]],
    ["time,Value\n5,1\n", { valueColumns: ["Value"] }, ["Value 5 1"]],
    ["time,tag:a,a\n5,x,1\n", { valueColumns: "*" }, ['a{a="x"} 5 1']],
    ["time;a\n5;1\n", { valueColumns: "*", delimiter: ";" }, ["a 5 1"]],
    ["time\ta,b\n5\t1\n", { valueColumns: "*", delimiter: "\t" }, ['"a,b" 5 1']],
    ["time,__proto__\n5,1\n", { valueColumns: "*" }, ["__proto__ 5 1"]],
  ])("%j as %j", async (text, mapping, points) => {
    expect(await read(text, mapping)).toMatchObject({ points, errors: [] });
  });

  test("cells without a value are no points, and are counted", async () => {
    const text = "time,a,b\n5,,2\n6,NA,\n7, ,null\n8,3,4\n";
    expect(await read(text, { valueColumns: "*", empty: ["NA", "null"] })).toMatchObject({
      points: ["b 5 2", "a 8 3", "b 8 4"],
      errors: [],
      ignored: { emptyCells: 5 },
    });
    expect(await read("name,time,value\na,5,NA\na,6,\na,7,1\n", { empty: ["NA"] })).toMatchObject({
      points: ["a 7 1"],
      errors: ["3 ERR_OUT_OF_RANGE the value is empty"],
      ignored: { emptyCells: 1 },
    });
  });

  test("a row with one wrong value leaves no points, and its column is named", async () => {
    expect(await read("time,a,b\n5,1,x\n6,1,2\n", { valueColumns: "*" })).toMatchObject({
      points: ["a 6 1", "b 6 2"],
      errors: ['2 ERR_OUT_OF_RANGE the value "x" is not a number, in the column "b"'],
    });
  });

  test.each([
    [
      "time,value\n",
      {},
      '1 ERR_TRUNCATED the header has no column name; it needs name, timestamp and value: "time", "value"; ' +
        "--name and --value-columns are for files without one",
    ],
    [
      "time,a\n",
      { name: "x" },
      '1 ERR_TRUNCATED the header has no column value; it needs name, timestamp and value: "time", "a"; ' +
        "--value-columns names others",
    ],
    [
      "time,a\n",
      { timeColumn: "t", valueColumns: "*" },
      '1 ERR_TRUNCATED the header has no column t; it needs name, timestamp and value: "time", "a"',
    ],
    ["time,a\n", { valueColumns: ["b"] }, '1 ERR_TRUNCATED the header has no column for the value "b": "time", "a"'],
    ["time\n", { valueColumns: "*" }, '1 ERR_TRUNCATED the header has no column of values: "time"'],
    ["time,a,a\n", { valueColumns: "*" }, '1 ERR_DUPLICATE_KEY the header has two columns for the value "a"'],
    [
      "time,a,b\n",
      { valueColumns: ["a"] },
      "1 ERR_UNSUPPORTED_TYPE the header has other columns: --tags b makes them tags, --tags '' ignores them",
    ],
    [
      'time,a,",b"\n',
      { valueColumns: ["a"] },
      "1 ERR_UNSUPPORTED_TYPE the header has other columns: --tags '*' makes them tags, --tags '' ignores them",
    ],
    [
      ",time,a\n",
      { valueColumns: "*" },
      "1 ERR_UNSUPPORTED_TYPE the header has a column without a title: --time-column '' makes it the timestamp, --tags '' ignores it",
    ],
  ])("%j as %j is refused", async (text, mapping, error) => {
    expect(await read(text, mapping)).toMatchObject({ points: [], errors: [error] });
  });
});

test("a column without a title, as pandas writes its index, is the time or ignored", async () => {
  const points = ["b 1769860800000 2"];
  const row = "2026-01-31T12:00Z";
  for (const [text, mapping] of [
    [`,b\n${row},2\n`, { timeColumn: "", valueColumns: "*" }],
    [`,time,b\n0,${row},2\n`, { tags: [], valueColumns: "*" }],
    [`,time,b\n0,${row},2\n`, { tags: "*", valueColumns: ["b"] }],
  ] as const)
    expect(await read(text, mapping), text).toMatchObject({ points, errors: [] });
});

describe("time formats", () => {
  test.each([
    ["%d.%m.%Y %H:%M", "31.01.2026 12:05", "2026-01-31T12:05Z"],
    ["%d.%m.%Y %H:%M", "1.2.2026 9:05", "2026-02-01T09:05Z"],
    ["%m/%d/%y %I:%M:%S %p", "01/31/26 12:05:06 AM", "2026-01-31T00:05:06Z"],
    ["%D %I:%M %p", "01/31/69 1:05 p.m.", "1969-01-31T13:05Z"],
    ["%b %d %Y", "Jan 31 2026", "2026-01-31T00:00Z"],
    ["%a, %d %B %Y %T %z", "Sat, 31 January 2026 12:05:06 +0130", "2026-01-31T10:35:06Z"],
    ["%F %T.%f", "2026-01-31 12:05:06.1239", "2026-01-31T12:05:06.123Z"],
    ["%Y%m%d%H%M%S", "20260131120506", "2026-01-31T12:05:06Z"],
    ["%FT%R%z", "2026-01-31T12:05+02", "2026-01-31T10:05Z"],
    ["[%F] 100%%", "[2026-01-31] 100%", "2026-01-31T00:00Z"],
    ["%s.%f", "1769860800.5", "2026-01-31T12:00:00.5Z"],
    ["@%s", "@1769860800", "2026-01-31T12:00Z"],
  ])("%s of %s", (format, text, expected) => {
    expect(new TimeFormat(format).of(text)?.time).toBe(time(expected));
  });

  test.each([
    ["%d.%m.%Y", "30.02.2026"],
    ["%d.%m.%Y", "31.01.2026 "],
    ["%d.%m.%Y", "31-01-2026"],
    ["%b %d %Y", "Foo 31 2026"],
    ["%F %I%p", "2026-01-31 13AM"],
    ["%F %T", "2026-01-31 24:00:00"],
  ])("%s does not read %j", (format, text) => {
    expect(new TimeFormat(format).of(text)).toBeUndefined();
  });

  test.each([
    ["%Q", /%Q is not one of %Y/],
    ["%", /% is not one of %Y/],
    ["%d.%m", /it needs %Y, %m and %d, or %s/],
    ["%F %I:%M", /%I and %p need each other/],
    ["%F %d", /a letter occurs twice/],
  ])("%s is not a format", (format, reason) => {
    expect(() => timeFormatArgument("--time-format")(format)).toThrow(reason);
  });

  test("random times are read as they were written", () => {
    const format = new TimeFormat("%d/%m/%Y %I.%M.%S,%f %p");
    for (let i = 0; i < 2000; i++) {
      const date = new Date(Math.floor((i * 7_919_777_777) % 4e12));
      const [text, clock] = [date.toISOString(), date.getUTCHours()];
      const [day, month, year] = [text.slice(8, 10), text.slice(5, 7), text.slice(0, 4)];
      const [hour, half] = [String(clock % 12 || 12), clock < 12 ? "am" : "PM"];
      const written = `${day}/${month}/${year} ${hour}.${text.slice(14, 16)}.${text.slice(17, 19)},${text.slice(20, 23)} ${half}`;
      expect(format.of(written)?.time, written).toBe(date.getTime());
    }
  });
});

describe("time zones", () => {
  const berlin = new TimeZone("Europe/Berlin");
  const local = (text: string) => time(`${text}Z`);

  test.each([
    ["2026-01-31T12:00", ["2026-01-31T11:00Z"]],
    ["2026-07-31T12:00", ["2026-07-31T10:00Z"]],
    ["2026-03-29T01:59:59", ["2026-03-29T00:59:59Z"]],
    ["2026-03-29T02:00", []],
    ["2026-03-29T02:59:59", []],
    ["2026-03-29T03:00", ["2026-03-29T01:00Z"]],
    ["2026-10-25T01:59", ["2026-10-24T23:59Z"]],
    ["2026-10-25T02:00", ["2026-10-25T00:00Z", "2026-10-25T01:00Z"]],
    ["2026-10-25T02:59", ["2026-10-25T00:59Z", "2026-10-25T01:59Z"]],
    ["2026-10-25T03:00", ["2026-10-25T02:00Z"]],
  ])("%s in Berlin", (text, times) => {
    expect(berlin.timesOf(local(text))).toEqual(times.map(time));
  });

  test("every time is one of those of its local time, in zones with odd offsets and changes", () => {
    for (const name of ["Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Europe/Dublin"]) {
      const zone = new TimeZone(name);
      const text = new Intl.DateTimeFormat("sv-SE", { timeZone: name, dateStyle: "short", timeStyle: "medium" });
      for (let i = 0; i < 3000; i++) {
        const at = time("2011-12-01T00:00Z") + i * 7_211_000;
        const clock = local(text.format(at).replace(" ", "T"));
        expect(zone.timesOf(clock), `${name} ${new Date(at).toISOString()}`).toContain(at);
      }
    }
  });

  test("offsets", () => {
    expect(new TimeZone("+02").timesOf(local("2026-01-31T12:00"))).toEqual([time("2026-01-31T10:00Z")]);
    expect(new TimeZone("-0330").timesOf(local("2026-01-31T12:00"))).toEqual([time("2026-01-31T15:30Z")]);
    expect(new TimeZone("UTC").timesOf(5)).toEqual([5]);
    for (const name of ["Mars", "", "+25", "+2"])
      expect(() => timeZoneArgument("--time-zone")(name), name).toThrow("must be a time zone such as Europe/Berlin");
  });

  test("texts without a zone are in the zone; numbers and texts with one are not", async () => {
    const textTime = new TextTime(undefined, berlin);
    const rows = ["2026-07-31", "2026-07-31T12:00", "2026-07-31T12:00Z", "2026-07-31 12:00:00+03", "1769860800000"];
    const text = `time,value\n${rows.map((row) => `${row},1\n`).join("")}`;
    const times = ["2026-07-30T22:00Z", "2026-07-31T10:00Z", "2026-07-31T12:00Z", "2026-07-31T09:00Z"].map(time);
    expect((await read(text, { name: "a", textTime })).points).toEqual(
      [...times, 1_769_860_800_000].map((time) => `a ${time} 1`),
    );
  });

  test("times that do not exist are refused, and those that occur twice are counted", async () => {
    const textTime = new TextTime(new TimeFormat("%d.%m.%Y %H:%M"), berlin);
    const text = "time,value\n25.10.2026 02:30,1\n29.03.2026 02:30,2\n31.01.2026,3\n";
    expect(await read(text, { name: "a", textTime })).toMatchObject({
      points: [`a ${time("2026-10-25T00:30Z")} 1`],
      errors: [
        '3 ERR_OUT_OF_RANGE the time "29.03.2026 02:30" does not exist in Europe/Berlin: clocks were set forward',
        '4 ERR_OUT_OF_RANGE the timestamp "31.01.2026" does not have the form "%d.%m.%Y %H:%M"',
      ],
    });
    expect(textTime.ambiguous).toBe(1);
  });

  test("a time of a format is checked as any other", async () => {
    const textTime = new TextTime(new TimeFormat("%F"), undefined);
    expect((await read("time,value\n1969-12-31,1\n4000-01-01,1\n", { name: "a", textTime })).errors).toEqual([
      "2 ERR_OUT_OF_RANGE the timestamp is before 1970",
      "3 ERR_OUT_OF_RANGE the timestamp is after the year 3225",
    ]);
  });
});
