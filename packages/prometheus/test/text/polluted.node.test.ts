/** Properties of Object.prototype change nothing. */
import { metricsParser, parseMetrics, writeMetrics } from "@moonpack/prometheus/text";
import { expect, test } from "vitest";
import { readWriteRequest } from "../../src/remote-write/request.ts";
import { bytes, labels, request, sample, series } from "../remote-write/encode.ts";

const POLLUTION = {
  format: "openmetrics",
  onSample: () => undefined,
  onError: () => undefined,
  maxLineBytes: 1,
  type: "summary",
  help: "polluted",
  unit: "polluted",
  timestamp: 5,
  exemplar: { labels: {}, value: 1 },
  labels: { polluted: "1" },
  value: 7,
  name: "polluted",
  samples: [],
  counter: "gauge",
  b: "polluted",
  __name__: "polluted",
  polluted: "1",
};

/** Runs work with properties in Object.prototype. */
function polluted<T>(work: () => T): T {
  for (const [name, value] of Object.entries(POLLUTION))
    Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: true, writable: true });
  try {
    return work();
  } finally {
    for (const name of Object.keys(POLLUTION)) Reflect.deleteProperty(Object.prototype, name);
  }
}

const TEXT = 'a{b="c",type="d"} 1\n# TYPE e counter\ne 2\n';
const all = (): unknown => {
  const found: unknown[] = [];
  const parser = metricsParser({
    onSample: ({ name, labels: own, value, timestamp }) => found.push([name, Object.entries(own), value, timestamp]),
  });
  parser.write(new TextEncoder().encode(TEXT));
  const counts = parser.end();
  const { families } = parseMetrics(TEXT);
  const plain = [{ name: "x", samples: [{ name: "x", labels: {}, value: 1 }] }];
  const raw = request(series(labels({ __name__: "a", b: "c" }), sample(1, 1)), bytes(3, bytes(2, "m")));
  const { series: list, metadata } = readWriteRequest(raw);
  return JSON.stringify([
    found,
    counts.errors,
    families.map((family) => [Object.entries(family).length, family.name, family.type, family.samples.length]),
    writeMetrics(families),
    writeMetrics(plain),
    writeMetrics(plain, { format: "openmetrics" }),
    list.map((each) => [each.name, Object.entries(each.labels)]),
    metadata.map((each) => Object.entries(each)),
  ]);
};

test("reading and writing", () => {
  const expected = all();
  expect(polluted(all)).toBe(expected);
});

test("options that are missing are missing", () => {
  const code = polluted(() => {
    try {
      metricsParser({} as never);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  });
  expect(code).toBe("ERR_INVALID_ARGUMENT");
});
