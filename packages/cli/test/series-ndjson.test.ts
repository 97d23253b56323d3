import fc from "fast-check";
import { expect, test } from "vitest";
import { ndjsonFormatter } from "../src/series/export-formats.js";
import { readPoints } from "./series-points.js";

const read = (text: string | Uint8Array, more = {}) => readPoints(text, { format: "ndjson", ...more });

test.each([
  ['{"name":"cpu","tags":{"host":"a1"},"timestamp":5,"value":0.5}', 'cpu{host="a1"} 5 0.5'],
  ['{"name":"cpu","timestamp":5,"value":0.5}', "cpu 5 0.5"],
  [' {"metric" : "cpu", "time" : 5, "value" : 1e3 } ', "cpu 5 1000"],
  ['{"name":"cpu","timestamp":"5","value":-0}', "cpu 5 -0"],
  ['{"name":"cpu","timestamp":"2026-01-31T12:00:00Z","value":1}', "cpu 1769860800000 1"],
  ['{"name":"cpu","timestamp":5.9,"value":1}', "cpu 5 1"],
  ['{"name":"cpu","timestamp":5,"value":"9007199254740993"}', "cpu 5 9007199254740993i"],
  ['{"name":"cpu","timestamp":5,"value":"7"}', "cpu 5 7i"],
  ['{"name":"cpu","timestamp":5,"value":"NaN"}', "cpu 5 NaN"],
  ['{"name":"cpu","timestamp":5,"value":"-Infinity"}', "cpu 5 -Infinity"],
  ['{"name":"cpu","tags":{"__proto__":"x","a":""},"timestamp":5,"value":1}', 'cpu{__proto__="x"} 5 1'],
])("%s", async (line, point) => {
  expect(await read(line)).toMatchObject({ points: [point], errors: [] });
});

test("integers of nanoseconds are cut to their millisecond, though JSON.parse rounds them", async () => {
  const lines = ["1769860799999999999", '"1769860799999999999"', "1769860800000999999"];
  const text = lines.map((time) => `{"name":"a","tags":{"timestamp":"7"},"timestamp":${time},"value":1}\n`).join("");
  expect(await read(text, { unit: "ns" })).toMatchObject({
    points: ["1769860799999", "1769860799999", "1769860800000"].map((time) => `a{timestamp="7"} ${time} 1`),
    errors: [],
  });
});

test("names with zero bytes are separate metrics, which a store refuses", async () => {
  const names = ["a", "a\0{}", "a\0", "\0a"];
  const text = names.map((name, i) => `{"name":${JSON.stringify(name)},"tags":{},"timestamp":${i},"value":1}\n`);
  const { written } = await read(text.join(""));
  expect(written.map(({ metric }) => metric.name)).toEqual(names);
});

const FORM = '{"name": .., "tags": {..}, "timestamp": .., "value": ..}';

test.each([
  ["{", "1:2 ERR_TRUNCATED expected"],
  ['{"name":"cpu",}', "1:15 ERR_INVALID_BYTE expected"],
  ['{"name":"é" "value":1}', '1:13 ERR_INVALID_BYTE expected "," or "}"'],
  ['{"name":"a","timestamp":5,"value":1} x', "1:38 ERR_TRAILING_BYTES there is more text after the value"],
  ["[1]", `1:1 ERR_UNSUPPORTED_TYPE a line must be an object ${FORM}`],
  ["null", `1:1 ERR_UNSUPPORTED_TYPE a line must be an object ${FORM}`],
  ["{}", `1 ERR_TRUNCATED name is missing in ${FORM}`],
  ['{"name":"a","value":1}', `1 ERR_TRUNCATED timestamp is missing in ${FORM}`],
  ['{"name":"a","timestamp":5}', `1 ERR_TRUNCATED value is missing in ${FORM}`],
  ['{"name":1,"timestamp":5,"value":1}', "1 ERR_UNSUPPORTED_TYPE name must be a string, not 1"],
  [
    '{"name":"a","tags":["b"],"timestamp":5,"value":1}',
    "1 ERR_UNSUPPORTED_TYPE tags must be an object of strings, not an array",
  ],
  ['{"name":"a","tags":{"b":1},"timestamp":5,"value":1}', '1 ERR_UNSUPPORTED_TYPE the tag "b" must be a string, not 1'],
  [
    '{"name":"a","timestamp":null,"value":1}',
    "1 ERR_UNSUPPORTED_TYPE timestamp must be a number or an ISO 8601 text, not null",
  ],
  ['{"name":"a","timestamp":-5,"value":1}', "1 ERR_OUT_OF_RANGE the timestamp is before 1970"],
  [
    '{"name":"a","timestamp":1e30,"value":1}',
    "1 ERR_OUT_OF_RANGE the timestamp is after the year 3225: is its unit ms?",
  ],
  ['{"name":"a","timestamp":5,"value":true}', "1 ERR_UNSUPPORTED_TYPE value must be a number or a string, not true"],
  ['{"name":"a","timestamp":5,"value":null}', "1 ERR_UNSUPPORTED_TYPE value must be a number or a string, not null"],
  ['{"name":"a","timestamp":5,"value":"1.5"}', '1 ERR_OUT_OF_RANGE the value "1.5" is not an integer'],
  ['{"name":"a","timestamp":5,"value":1e999}', "1 ERR_OUT_OF_RANGE the value is too large for a 64-bit float"],
  ['{"name":"a","timestamp":5,"value":1,"value":2}', "1 ERR_DUPLICATE_KEY a member or a tag occurs twice"],
  ['{"name":"b","n\\u0061me":"a","timestamp":5,"value":1}', "1 ERR_DUPLICATE_KEY a member or a tag occurs twice"],
  [
    '{"name":"a","tags":{"\\"":"x","y":"","\\"":"z"},"timestamp":5,"value":1}',
    "1 ERR_DUPLICATE_KEY a member or a tag occurs twice",
  ],
  ['{"name":"a","timestamp":5,"value":1,"unit":"s"}', `1 ERR_UNSUPPORTED_TYPE unknown member "unit" in ${FORM}`],
  ['{"name":"a","metric":"b","timestamp":5,"value":1}', "1 ERR_DUPLICATE_KEY a line has both name and metric"],
])("%s is refused: %s", async (line, error) => {
  const { points, errors } = await read(line);
  expect(points).toEqual([]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(error);
});

test("a metric has the type of its first value, and the store's word counts", async () => {
  const lines = ['"5"', "6", "7.5", "9007199254740993", '"NaN"'].map(
    (value) => `{"name":"a","timestamp":5,"value":${value}}`,
  );
  expect(await read(lines.join("\n"))).toMatchObject({
    points: ["a 5 5i", "a 5 6i"],
    errors: [
      "3 ERR_SERIES_TYPE the metric a is int64, but the value 7.5 is not an integer",
      "4 ERR_SERIES_TYPE the metric a is int64, but the value 9007199254740992 may be rounded; use a string in NDJSON, --int64 elsewhere",
      "5 ERR_SERIES_TYPE the metric a is int64, but the value NaN is not an integer",
    ],
  });
  expect(await read('{"name":"a","timestamp":5,"value":5}\n{"name":"a","timestamp":6,"value":"6"}')).toMatchObject({
    points: ["a 5 5"],
    errors: ["2 ERR_SERIES_TYPE the metric a is float, but the value 6 is an int64"],
  });
});

test("a metric that the store refuses is an error of each of its lines, whatever the batch", async () => {
  const long = `{"name":"${"n".repeat(256)}","timestamp":5,"value":1}`;
  const good = '{"name":"a","timestamp":5,"value":1}';
  for (const batch of [1, 2, 100]) {
    const { points, errors } = await read([good, long, good, long, good].join("\n"), { batch });
    expect(points).toEqual(["a 5 1", "a 5 1", "a 5 1"]);
    expect(errors).toEqual([2, 4].map((line) => `${line} ERR_INVALID_METRIC the name is longer than 255 bytes`));
  }
});

test("what export writes is read back: any name, tags and value", async () => {
  const word = fc.string({ unit: "binary", minLength: 1, maxLength: 8 });
  const value = fc.oneof(
    fc.double(),
    fc.constantFrom(NaN, Infinity, -0),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  );
  await fc.assert(
    fc.asyncProperty(word, fc.dictionary(word, word), fc.nat(2 ** 31), value, async (name, tags, timestamp, value) => {
      const type = typeof value === "bigint" ? "int64" : "float";
      const text = ndjsonFormatter().of({ id: 0, name, tags, type })(timestamp, value);
      const { written, errors } = await read(text);
      expect(errors).toEqual([]);
      expect(written).toHaveLength(1);
      expect(written[0]).toMatchObject({ timestamp, metric: { name, tags: { ...tags }, type } });
      expect(typeof value === "bigint" ? BigInt(written[0]!.value) : written[0]!.value).toBe(value);
    }),
  );
});
