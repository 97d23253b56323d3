import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOW, readPoints } from "./series-points.js";

const read = (text: string | Uint8Array, more = {}) => readPoints(text, { format: "prometheus", ...more });

/** The example of the format's documentation. */
const EXAMPLE = `# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\"FILE.TXT\\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf 3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320

# Finally a summary, which has a complex representation, too:
# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.01"} 3102
`;

test("the example of the format", async () => {
  expect(await read(EXAMPLE)).toMatchObject({
    errors: [],
    points: [
      'http_requests_total{code="200",method="post"} 1395066363000 1027',
      'http_requests_total{code="400",method="post"} 1395066363000 3',
      `msdos_file_access_time_seconds{error="Cannot find file:\\"FILE.TXT\\"",path="C:\\\\DIR\\\\FILE.TXT"} ${NOW} 1458255915`,
      `metric_without_timestamp_and_labels ${NOW} 12.47`,
      'something_weird{problem="division by zero"} 3982045 Infinity',
      `http_request_duration_seconds_bucket{le="0.05"} ${NOW} 24054`,
      `http_request_duration_seconds_bucket{le="+Inf"} ${NOW} 144320`,
      `http_request_duration_seconds_sum ${NOW} 53423`,
      `http_request_duration_seconds_count ${NOW} 144320`,
      `rpc_duration_seconds{quantile="0.01"} ${NOW} 3102`,
    ],
  });
});

test.each([
  ["a NaN", `a ${NOW} NaN`],
  ["a -Inf 5", "a 5 -Infinity"],
  ["\ta \t 1\t 5 ", "a 5 1"],
  ["a{} 1 5", "a 5 1"],
  ['a {b="c"} 1 5', 'a{b="c"} 5 1'],
  ['a{ b = "c" , } 1 5', 'a{b="c"} 5 1'],
  ['a{b="}\\"{"}1 5', 'a{b="}\\"{"} 5 1'],
  ['{"my.metric",host="a"} 1 5', 'my.metric{host="a"} 5 1'],
  ['{"my metric","a b"="c"} 1 5', '"my metric"{"a b"="c"} 5 1'],
  ['a:b_c{b=""} 1 5', "a:b_c 5 1"],
])("%j", async (line, point) => {
  expect(await read(line)).toMatchObject({ points: [point], errors: [] });
});

test.each([
  ["a", "1:2 ERR_TRUNCATED expected a space and a value, found the end of the line"],
  ["a{} ", "1:5 ERR_TRUNCATED expected a value, found the end of the line"],
  ["a x", '1:3 ERR_INVALID_BYTE expected a value, found "x"'],
  ["a 1 x", '1:5 ERR_INVALID_BYTE expected a timestamp, found "x"'],
  ["a 1 1520879607.789", '1:5 ERR_INVALID_BYTE expected a timestamp, found "1520879607.789"'],
  ["a 1 -5", "1 ERR_OUT_OF_RANGE the timestamp is before 1970"],
  ["a 1 99999999999999", "1 ERR_OUT_OF_RANGE the timestamp is after the year 3225: is its unit ms? See --unit"],
  ["a 1 5 7", "1:6 ERR_TRAILING_BYTES there is more text after the sample; exemplars need --format openmetrics"],
  ["a 1 5 # {} 1", "1:6 ERR_TRAILING_BYTES there is more text after the sample; exemplars need --format openmetrics"],
  ["9a 1", '1:1 ERR_INVALID_BYTE expected the name of a metric, found "9"'],
  ["a-b 1", '1:2 ERR_INVALID_BYTE expected a space and a value, found "-"'],
  ['a{b="c" 1', '1:9 ERR_INVALID_BYTE expected a label\'s name or }, found "1"'],
  ['a{b="c 1', "1:5 ERR_TRUNCATED the quote is not closed"],
  ["a{b=c} 1", '1:5 ERR_INVALID_BYTE expected a value in quotes, found "c"'],
  ['a{b"c"} 1', '1:4 ERR_INVALID_BYTE expected =, found "\\""'],
  ['a{="c"} 1', '1:3 ERR_INVALID_BYTE expected a label\'s name or }, found "="'],
  ['a{b="c",b="d"} 1', '1:9 ERR_DUPLICATE_KEY the label "b" occurs twice'],
  ['a{"b"} 1', "1:3 ERR_DUPLICATE_KEY the metric has a second name"],
  ['{b="c"} 1', "1:1 ERR_INVALID_METRIC the metric has no name"],
])("%j is refused: %s", async (line, error) => {
  expect(await read(line)).toMatchObject({ points: [], errors: [error] });
});

describe("OpenMetrics", () => {
  const guess = async (text: string, more = {}) => await read(text, { guessesUnit: true, ...more });
  const open = (text: string, more = {}) => readPoints(text, { format: "openmetrics", guessesUnit: true, ...more });
  const line = (n: number, time: string) => `a ${n} ${time}\n`;

  test.each([
    5, 1000,
  ])("the end, a fraction, a type or an exemplar shows the format, %i bytes at a time", async (chunk) => {
    expect(await guess(`# TYPE a gauge\n${line(1, "1520879607")}${line(2, "5")}a 3\n# EOF\n`, { chunk })).toMatchObject(
      { points: ["a 1520879607000 1", "a 5000 2", `a ${NOW} 3`], errors: [] },
    );
    for (const text of [
      line(1, "1520879607") + line(2, "5.5"),
      `# TYPE a unknown\n${line(1, "1520879607")}${line(2, "5.5")}`,
      `${line(1, "1520879607")}a 2 5.5 # {} 1\n`,
    ]) {
      const { points, errors } = await guess(text, { chunk });
      expect(points, text).toEqual(["a 1520879607000 1", "a 5500 2"]);
      expect(errors[0], text).toMatch(/^\d+:1 ERR_TRUNCATED the text does not end in # EOF$/);
    }
    for (const [text, time] of [
      ["1.520879607789e9", 1520879607789],
      ["15208796077.89E-1", 1520879607789],
      ["1520879608.789999", 1520879608789],
      ["25e-3", 25],
      ["1.5e+1", 15_000],
      [".5", 500],
      ["1e-9", 0],
    ] as const)
      expect(await guess(`${line(1, text)}# EOF\n`, { chunk }), text).toMatchObject({
        points: [`a ${time} 1`],
        errors: [],
      });
  });

  test("a head that both formats have is 0.0.4; later exemplars are errors that name OpenMetrics", async () => {
    const head = "b 1\n".repeat(150_000);
    const text = `${head}a 2 # {} 1\n# EOF\n`;
    const { points, errors } = await guess(text);
    expect(points).toHaveLength(150_000);
    expect(errors).toEqual([
      "150001:4 ERR_TRAILING_BYTES there is more text after the sample; exemplars need --format openmetrics",
    ]);
    expect((await open(text)).points).toHaveLength(150_001);
  });

  test("milliseconds are milliseconds", async () => {
    expect(await guess(line(1, "1700000000") + line(2, "1700000000000"))).toMatchObject({
      points: ["a 1700000000 1", "a 1700000000000 2"],
      errors: [],
    });
    expect(await guess(line(1, "5") + line(2, "3982045"))).toMatchObject({
      points: ["a 5 1", "a 3982045 2"],
      errors: [],
    });
  });

  test("times that all are in 1970 are a question", async () => {
    const question =
      "ERR_OUT_OF_RANGE are the timestamps in ms? All are in 1970 then, but from 2023-11-14 on in s: " +
      "add --format prometheus --unit s, or --format prometheus --unit ms if 1970 is right";
    for (const chunk of [5, 1000])
      expect(await guess(`# TYPE a gauge\n${line(1, "1700000000")}${line(2, "5")}`, { chunk })).toMatchObject({
        points: [],
        errors: [`2 ${question}`],
      });
    const many = Array.from({ length: 300_000 }, (_, i) => line(i, String(1_700_000_000 + i))).join("");
    expect(await guess(many)).toMatchObject({ points: [], errors: [`1 ${question}`] });
  });

  test("exemplars are passed over and counted", async () => {
    const text = 'b{le="1"} 8 # {trace="4f # {"} 0.67\nb 9 1520879607.5 # {} 1 1520879607.5\nc 1\n# EOF\n';
    for (const read of [guess, open])
      expect(await read(text)).toMatchObject({
        points: [`b{le="1"} ${NOW} 8`, "b 1520879607500 9", `c ${NOW} 1`],
        errors: [],
        ignored: { exemplars: 2 },
      });
  });

  test.each([
    ["a 1 # x", '1:7 ERR_INVALID_BYTE expected the labels of an exemplar, found "x"'],
    ["a 1 # {}", "1:9 ERR_TRUNCATED expected a space and the value of the exemplar, found the end of the line"],
    ["a 1 # {} x", '1:10 ERR_INVALID_BYTE expected the value of the exemplar, found "x"'],
    ["a 1 -1", "1 ERR_OUT_OF_RANGE the timestamp is before 1970"],
    ["\ta 1", '1:1 ERR_INVALID_BYTE expected the name of a metric, found "\\t"'],
    ["# x", '1:1 ERR_INVALID_BYTE expected "# HELP ", "# TYPE ", "# UNIT " or "# EOF", found "#"'],
    ["", "1:1 ERR_TRUNCATED expected the name of a metric, found the end of the line"],
  ])("%j is refused: %s", async (line, error) => {
    expect(await open(`${line}\n# EOF\n`)).toMatchObject({ points: [], errors: [error] });
  });

  test("text after the end and a missing end are errors", async () => {
    expect((await open("a 1\n# EOF\nb 1\n")).errors).toEqual(["3:1 ERR_TRAILING_BYTES there is more text after # EOF"]);
    expect((await open("a 1\n")).errors).toEqual(["2:1 ERR_TRUNCATED the text does not end in # EOF"]);
  });
});

test("values of int64 are whole, and exact in a float", async () => {
  expect(await read("a 5 1\nb 1.5 1\nc 9007199254740993 1\n", { isInt64: true })).toMatchObject({
    points: ["a 1 5i"],
    errors: [
      "2 ERR_OUT_OF_RANGE the value 1.5 is not an integer",
      "3 ERR_OUT_OF_RANGE the value 9007199254740992 is beyond 2^53, so it may be rounded",
    ],
  });
});

test("random text neither hangs nor fails otherwise than with an error of its line", async () => {
  const unit = fc.constantFrom("a", ",", "=", " ", "\\", '"', "1", "{", "}", "#", "é", "n");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit, maxLength: 30 }), { maxLength: 5 }), async (lines) => {
      const { errors } = await read(lines.join("\n"));
      for (const error of errors) expect(error).toMatch(/^\d+(:\d+)? ERR_[A-Z_]+ .+/);
    }),
    { numRuns: 500 },
  );
});

test("labels of any text are read as they were written", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\\", '"', "\n", "{", "}", ",", "=", " ", "é"), minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/), text, { maxKeys: 4 }), async (tags) => {
      const escaped = (value: string) => value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
      const labels = Object.entries(tags).map(([key, value]) => `${key}="${escaped(value)}"`);
      const { written, errors } = await read(`m{${labels.join(",")}} 1 5\n`);
      expect(errors).toEqual([]);
      expect(written[0]!.metric.tags).toEqual({ ...tags });
    }),
  );
});
