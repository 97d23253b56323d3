/** Requests of remote write 1.0: what is stored, dropped and refused. */
import { caughtAsync, fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { describe, expect, test } from "vitest";
import type { Pace } from "../../src/eval/pace.ts";
import { readWriteBody, unsupportedWrite } from "../../src/remote-write/body.ts";
import { seriesOf } from "../../src/remote-write/labels.ts";
import { readWriteRequest, readWriteRequestInSlices, type WriteRequest } from "../../src/remote-write/request.ts";
import { bytes, double, field, label, labels, pack, request, STALE, sample, series, varint } from "./encode.ts";

const NAME = { __name__: "a" };

/** The samples of each series. */
function listed({ series: list, offsets, timestamps, values, stale }: WriteRequest): unknown[] {
  expect(offsets.length).toBe(list.length + 1);
  expect(offsets[list.length]).toBe(timestamps.length);
  expect([values.length, stale.length]).toEqual([timestamps.length, timestamps.length]);
  return list.map(({ name, labels: each }, i) => {
    const samples: unknown[] = [];
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++)
      samples.push([timestamps[at], stale[at] === 1 ? "stale" : values[at]]);
    return [name, each, ...samples];
  });
}

const codeOf = (read: WriteRequest): string | undefined => read.refused.first?.code;

test("series, samples and metadata", () => {
  const read = readWriteRequest(
    request(
      series(
        labels({ __name__: "up", instance: "é", job: "b" }),
        sample(1520879607789, 1.5),
        sample(1520879607790, -0),
      ),
      series(labels({ __name__: "x", z: "1", a: "2", empty: "" }), sample(-5, Infinity)),
      bytes(3, [...field(1, 0, [1]), ...bytes(2, "up"), ...bytes(4, "help"), ...bytes(5, "unit")]),
      bytes(3, [...field(1, 0, [99]), ...bytes(2, "y")]),
    ),
  );
  expect(listed(read)).toEqual([
    ["up", { instance: "é", job: "b" }, [1520879607789, 1.5], [1520879607790, -0]],
    ["x", { a: "2", z: "1" }, [-5, Infinity]],
  ]);
  expect(Object.keys(read.series[1]!.labels)).toEqual(["a", "z"]);
  expect(read.metadata).toEqual([
    { name: "up", type: "counter", help: "help", unit: "unit" },
    { name: "y", type: "unknown", help: "", unit: "" },
  ]);
  expect(read.markers).toBe(0);
  expect(read.dropped).toEqual({ histograms: 0, exemplars: 0, metadata: 0 });
  expect(read.refused).toEqual({ series: 0, samples: 0, first: undefined });
});

test("a body that prompb and snappy of Prometheus 3 have written", async () => {
  const base64 =
    "vgLwlAqQAQoOCghfX25hbWVfXxICdXAKEwoIaW5zdGFuY2USB8OpOjkxMDAKCwoDam9iEgRub2RlEhAJAAAAAAAA8D8Q7b/026EsEgASEAkCAAAAAADwfxDVx/Tb" +
    "oSwSFAkBAAAAAAD4fxD///////////8BGiAKDgoIdHJhY2VfaWQSAjRmEQAAAAAAAOA/GO2/9NuhLApDQpIAABIdkgQGYm6RAAD/DZEECkMBNRVFGAZuYXRpdmUy" +
    "NQAQIiAIBRkBxkgAAARAIAMwAVoECAEQAmICAgF4CUUMGhEIAiESYCIJSXMgaXQgdXA/GgwIBxIFc3RhdGUqAXg=";
  const read = await readWriteBody(
    Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    318,
  );
  const times = [1520879607789, 1520879608789] as const;
  expect(listed(read)).toEqual([
    ["up", { instance: "é:9100", job: "node" }, [times[0], 1], [0, 0], [times[1], "stale"], [-1, Number.NaN]],
    ["up", { instance: "b:9100", job: "node" }, [times[0], Number.NEGATIVE_INFINITY]],
  ]);
  expect(read.markers).toBe(1);
  expect(read.dropped).toEqual({ histograms: 1, exemplars: 1, metadata: 0 });
  expect(read.metadata).toEqual([
    { name: "up", type: "gauge", help: "Is it up?", unit: "" },
    { name: "state", type: "stateset", help: "", unit: "x" },
  ]);
});

test("nothing", () => {
  expect(listed(readWriteRequest(request()))).toEqual([]);
  expect(listed(readWriteRequest(request(series(labels(NAME)))))).toEqual([]);
});

test("a staleness marker is recognised by its bits, and other NaNs are values", () => {
  const bits = [
    STALE,
    0x7ff8000000000000n,
    0x7ff8000000000001n,
    0x7ff0000000000001n,
    0xfff0000000000002n,
    0x7ff0000100000002n,
  ];
  const read = readWriteRequest(request(series(labels(NAME), ...bits.map((each, i) => sample(i, each)))));
  expect([...read.stale]).toEqual([1, 0, 0, 0, 0, 0]);
  expect(read.values.every((value) => Number.isNaN(value))).toBe(true);
  expect(read.markers).toBe(1);
});

test("fields of proto3: any order, absent ones are 0, the last one wins, unknown ones are skipped", () => {
  const read = readWriteRequest(
    request(
      field(9, 0, varint(2n ** 64n - 1n)),
      field(9, 1, double(1)),
      field(9, 5, [1, 2, 3, 4]),
      bytes(9, "?"),
      series(
        bytes(2, []),
        bytes(9, "?"),
        bytes(2, [...field(2, 0, varint(7)), ...field(1, 1, double(3)), ...field(1, 1, double(4)), ...bytes(3, "?")]),
        bytes(1, [...bytes(2, "v"), ...bytes(1, "n"), ...bytes(9, "?")]),
        labels(NAME),
      ),
    ),
  );
  expect(listed(read)).toEqual([["a", { n: "v" }, [0, 0], [7, 4]]]);
});

test("timestamps of 64 bits", () => {
  const cases: readonly (readonly [bigint, number | undefined])[] = [
    [0n, 0],
    [-1n, -1],
    [2n ** 31n, 2 ** 31],
    [2n ** 32n - 1n, 2 ** 32 - 1],
    [-(2n ** 32n), -(2 ** 32)],
    [8_640_000_000_000_000n, 8.64e15],
    [-8_640_000_000_000_000n, -8.64e15],
    [8_640_000_000_000_001n, undefined],
    [2n ** 63n - 1n, undefined],
    [-(2n ** 63n), undefined],
  ];
  for (const [timestamp, expected] of cases) {
    const read = readWriteRequest(request(series(labels(NAME), sample(timestamp, 1), sample(1, 2))));
    expect([...read.timestamps], `${timestamp}`).toEqual(expected === undefined ? [1] : [expected, 1]);
    expect(read.refused).toMatchObject({ series: 0, samples: expected === undefined ? 1 : 0 });
    expect(codeOf(read)).toBe(expected === undefined ? "ERR_OUT_OF_RANGE" : undefined);
  }
  // A varint need not be in its shortest form.
  const long = bytes(2, [...field(2, 0, [0x85, 0x80, 0])]);
  expect([...readWriteRequest(request(series(labels(NAME), long))).timestamps]).toEqual([5]);
});

describe("series that are refused, with what is good around them", () => {
  const cases: readonly (readonly [string, number[], string, string])[] = [
    ["no labels", [], "ERR_INVALID_METRIC", "no __name__: {}"],
    ["no name", labels({ b: "c" }), "ERR_INVALID_METRIC", 'no __name__: {"b"="c"}'],
    ["an empty name", labels({ __name__: "" }), "ERR_INVALID_METRIC", "no __name__"],
    ["the empty name of a label", labels({ ...NAME, "": "b" }), "ERR_INVALID_METRIC", "the name of a label is empty"],
    ["a label twice", [...labels({ ...NAME, b: "c" }), ...label("b", "c")], "ERR_DUPLICATE_KEY", '"b" occurs twice'],
    [
      "an empty label twice",
      [...labels({ ...NAME, b: "" }), ...label("b", "c")],
      "ERR_DUPLICATE_KEY",
      '"b" occurs twice',
    ],
    [
      "the name twice",
      [...labels(NAME), ...labels({ b: "" }), ...labels(NAME)],
      "ERR_DUPLICATE_KEY",
      '"__name__" occurs twice',
    ],
    [
      "a value that is not UTF-8",
      [...labels(NAME), ...label("b", Uint8Array.of(0xff))],
      "ERR_INVALID_UTF8",
      '"b"=(not UTF-8)',
    ],
    [
      "a name that is not UTF-8",
      [...labels(NAME), ...label(Uint8Array.of(0xc0, 0x80), "b")],
      "ERR_INVALID_UTF8",
      "UTF-8",
    ],
    [
      "a surrogate in UTF-8",
      [...labels(NAME), ...label("b", Uint8Array.of(0xed, 0xa0, 0x80))],
      "ERR_INVALID_UTF8",
      "UTF-8",
    ],
  ];
  test.each(cases)("%s", (_, bad, code, message) => {
    const good = series(labels({ __name__: "good" }), sample(1, 1));
    const read = readWriteRequest(request(good, series(bad, sample(1, 2), sample(2, STALE)), good));
    expect(listed(read)).toEqual([
      ["good", {}, [1, 1]],
      ["good", {}, [1, 1]],
    ]);
    expect(read.markers).toBe(0);
    expect(read.refused).toMatchObject({ series: 1, samples: 2 });
    expect(codeOf(read)).toBe(code);
    expect(read.refused.first?.message).toMatch(message);
  });
});

test("names that objects have, and long error texts", () => {
  const read = readWriteRequest(
    request(series(labels({ __name__: "a", constructor: "2" }), label("__proto__", "1"), sample(1, 1))),
  );
  expect(Object.entries(read.series[0]!.labels)).toEqual([
    ["__proto__", "1"],
    ["constructor", "2"],
  ]);
  const long = readWriteRequest(
    request(series(label("b".repeat(5000), "c".repeat(5000)), label("d", "e"), sample(1, 1))),
  );
  expect(long.refused.first!.message.length).toBeLessThan(700);
});

test("histograms, exemplars and metadata that are not kept are counted", () => {
  const exemplar = bytes(3, [...label("id", "1"), ...field(2, 1, double(1)), ...field(3, 0, [1])]);
  const histogram = bytes(4, [...field(1, 0, [1]), ...field(15, 0, [1])]);
  const read = readWriteRequest(
    request(
      series(labels(NAME), sample(1, 1), exemplar, exemplar, histogram),
      series(labels({ __name__: "h" }), histogram),
      bytes(3, []),
      bytes(3, bytes(2, Uint8Array.of(0xff))),
      ...Array.from({ length: 10_001 }, () => bytes(3, bytes(2, "m"))),
    ),
  );
  expect(listed(read)).toEqual([["a", {}, [1, 1]]]);
  expect(read.dropped).toEqual({ histograms: 2, exemplars: 2, metadata: 3 });
  expect(read.metadata.length).toBe(10_000);
});

describe("bytes that are not a request", () => {
  const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>, string])[] = [
    ["the field 0", Uint8Array.of(0x02, 0), "ERR_INVALID_BYTE"],
    ["a tag beyond 32 bits", request([0x80, 0x80, 0x80, 0x80, 0x10]), "ERR_INVALID_BYTE"],
    [
      "a varint of 11 bytes",
      request(
        [0x48],
        Array.from({ length: 10 }, () => 0x80),
        [0],
      ),
      "ERR_OUT_OF_RANGE",
    ],
    [
      "a varint beyond 64 bits",
      request(
        [0x48],
        Array.from({ length: 9 }, () => 0x80),
        [2],
      ),
      "ERR_OUT_OF_RANGE",
    ],
    ["a varint that is cut", request([0x48, 0x80]), "ERR_TRUNCATED"],
    ["a length beyond the end", request([0x0a, 5, 0]), "ERR_TRUNCATED"],
    ["a length of 2^32", request(field(1, 2, varint(2n ** 32n))), "ERR_TRUNCATED"],
    ["a length of 2^63", request(field(1, 2, varint(2n ** 63n))), "ERR_TRUNCATED"],
    ["a label beyond its series", request(bytes(1, [0x0a, 9]), bytes(9, "0123456789")), "ERR_TRUNCATED"],
    ["a double that is cut", request(series(bytes(2, [0x09, 1, 2]))), "ERR_TRUNCATED"],
    ["a group", request([0x4b, 0x4c]), "ERR_INVALID_BYTE"],
    ["the wire type 7", request([0x4f]), "ERR_INVALID_BYTE"],
    ["a series that is a varint", request(field(1, 0, [1])), "ERR_INVALID_BYTE"],
    ["a value that is a varint", request(series(bytes(2, field(1, 0, [1])))), "ERR_INVALID_BYTE"],
    ["a timestamp that is a double", request(series(bytes(2, field(2, 1, double(1))))), "ERR_INVALID_BYTE"],
    ["a name that is a varint", request(series(bytes(1, field(1, 0, [1])))), "ERR_INVALID_BYTE"],
  ];
  test.each(cases)("%s", (_, raw, code) => {
    expect(fault(() => readWriteRequest(raw)).code).toBe(code);
  });
});

const WHOLE = request(
  series(labels({ __name__: "up", job: "é" }), sample(1520879607789, 1), sample(2, STALE)),
  series(labels(NAME), sample(1, 2), bytes(3, field(2, 1, double(1)))),
  bytes(3, [...field(1, 0, [2]), ...bytes(2, "up"), ...bytes(4, "h")]),
);

test("every request that is cut is the beginning of the whole, or truncated", () => {
  const whole = listed(readWriteRequest(WHOLE));
  let complete = 0;
  for (let end = 0; end < WHOLE.length; end++) {
    try {
      const part = listed(readWriteRequest(WHOLE.slice(0, end)));
      complete++;
      expect(part).toEqual(whole.slice(0, part.length));
    } catch (error) {
      expect((error as { code?: string }).code).toBe("ERR_TRUNCATED");
    }
  }
  // Before the first field, and between two of them.
  expect(complete).toBe(3);
});

test("damaged requests give errors of the library, or a request whose columns fit", () => {
  const next = randomSource(21);
  for (let round = 0; round < share(8000); round++) {
    const damaged = WHOLE.slice();
    for (let i = 0; i <= next(3); i++) damaged[next(damaged.length)] = next(256);
    try {
      listed(readWriteRequest(damaged));
    } catch (error) {
      expect((error as { code?: string }).code).toMatch(/^ERR_(?:TRUNCATED|INVALID_BYTE|OUT_OF_RANGE)$/);
    }
  }
});

test("random requests are read back", async () => {
  const next = randomSource(22);
  for (let round = 0; round < share(120); round++) {
    const expected: unknown[] = [];
    const content = Array.from({ length: next(6) }, (_, i) => {
      const own = Object.fromEntries(Array.from({ length: next(5) }, (_, j) => [`l${next(100)}_${j}`, `v${next(10)}`]));
      const samples = Array.from(
        { length: 1 + next(200) },
        () => [next(2 ** 31) * 1000, next(3) === 0 ? "stale" : next(1000) / 8] as const,
      );
      expected.push([`m${i}`, own, ...samples]);
      const list = Object.entries({ ...own, __name__: `m${i}` }).sort(() => next(3) - 1);
      return series(
        ...list.map(([name, value]) => label(name, value)),
        ...samples.map(([time, value]) => sample(time, value === "stale" ? STALE : value)),
      );
    });
    const raw = request(...content);
    expect(listed(await readWriteBody(pack(raw, next), raw.length))).toEqual(expected);
  }
});

test("limits: bytes before they are unpacked, and samples of two bytes each", async () => {
  expect(await caughtAsync(() => readWriteBody(pack(WHOLE), WHOLE.length - 1))).toMatchObject({
    code: "ERR_LIMIT_BYTES",
  });
  expect((await readWriteBody(pack(WHOLE), WHOLE.length)).series.length).toBe(2);
  const tiny = new Uint8Array(2 * (2 ** 22 + 1));
  for (let i = 0; i < tiny.length; i += 2) tiny[i] = 0x12;
  const bomb = Uint8Array.from([0x0a, ...varint(tiny.length)]);
  const raw = new Uint8Array(bomb.length + tiny.length);
  raw.set(bomb);
  raw.set(tiny, bomb.length);
  expect(fault(() => readWriteRequest(raw)).code).toBe("ERR_LIMIT_ELEMENTS");
});

test("headers", () => {
  const cases: readonly (readonly [string | undefined, string | undefined, string | undefined])[] = [
    ["application/x-protobuf", "snappy", undefined],
    ["application/x-protobuf;proto=prometheus.WriteRequest", "snappy", undefined],
    ['Application/X-Protobuf; proto="prometheus.WriteRequest"', "snappy", undefined],
    [undefined, undefined, undefined],
    ["application/x-protobuf;proto=io.prometheus.write.v2.Request", "snappy", "io.prometheus.write.v2.Request"],
    ["application/json", "snappy", "application/json"],
    ["", "snappy", "the content type"],
    ["application/x-protobuf", "gzip", "gzip"],
    ["application/x-protobuf", "", "the content encoding"],
  ];
  for (const [type, encoding, problem] of cases) {
    const found = unsupportedWrite(type, encoding);
    if (problem === undefined) expect(found).toBe(undefined);
    else expect(found).toMatch(problem);
  }
});

test("only the first of many faults is an error; labels are counted, not kept", () => {
  const empty = new Uint8Array(2 ** 20).map((_, i) => (i % 2 === 0 ? 10 : 0));
  expect(readWriteRequest(empty).refused).toMatchObject({ series: 2 ** 19, samples: 0 });
  expect(seriesOf([]) instanceof Error).toBe(false);
  const wide = readWriteRequest(
    request(series([...labels(NAME), ...empty], sample(0, 1)), series(labels(NAME), sample(0, 2))),
  );
  expect(wide.refused).toMatchObject({ series: 1, samples: 1 });
  expect(wide.refused.first?.message).toMatch(/^more than 1024 labels: \{"__name__"="a", ""="", /);
  expect(listed(wide)).toEqual([["a", {}, [0, 2]]]);
});

test("a long series is read in slices", async () => {
  const samples = Uint8Array.from({ length: 2 ** 17 }, (_, i) => (i % 2 === 0 ? 18 : 0));
  const raw = request(series([...labels(NAME), ...samples]));
  let slices = 0;
  const pace = {
    spend: () => {
      slices++;
      return undefined;
    },
  } as unknown as Pace;
  const read = await readWriteRequestInSlices(raw, pace);
  expect(read.timestamps.length).toBe(2 ** 16);
  expect(slices).toBeGreaterThan(10);
});
