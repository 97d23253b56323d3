/** Families as text: vectors by hand, types in the format that lacks them, and what is read back. */
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import {
  type MetricFamily,
  type MetricSample,
  type MetricType,
  parseMetrics,
  type TextFormat,
  writeMetrics,
} from "@moonpack/prometheus/text";
import { describe, expect, test } from "vitest";

const sample = (name: string, value: number, more: Partial<MetricSample> = {}): MetricSample => ({
  name,
  labels: {},
  value,
  ...more,
});

const FAMILIES: readonly MetricFamily[] = [
  {
    name: "http_seconds",
    type: "histogram",
    help: 'a "b"\nc\\d',
    unit: "seconds",
    samples: [
      sample("http_seconds_bucket", 1, {
        labels: { le: "1" },
        exemplar: { labels: { id: "4f" }, value: 0.5, timestamp: 1500 },
      }),
      sample("http_seconds_bucket", 2, { labels: { le: "+Inf" } }),
      sample("http_seconds_sum", 3.5),
      sample("http_seconds_count", 2),
      sample("http_seconds_created", 1e9),
    ],
  },
  {
    name: "c",
    type: "counter",
    samples: [sample("c_total", 1, { timestamp: 1520879607789.5 }), sample("c_created", 5)],
  },
  { name: "d_total", type: "counter", samples: [sample("d_total", 1)] },
  { name: "e", type: "counter", samples: [sample("e", Infinity)] },
  { name: "build", type: "info", samples: [sample("build_info", 1, { labels: { v: "1" } })] },
  { name: "f", type: "stateset", samples: [sample("f", 0, { labels: { f: "a" } })] },
  {
    name: "g",
    type: "gaugehistogram",
    samples: [sample("g_bucket", 1, { labels: { le: "1e6" } }), sample("g_gcount", 1), sample("g_gsum", -0)],
  },
  { name: "s", type: "summary", samples: [sample("s", NaN, { labels: { quantile: "0.5" } })] },
  { name: "i", samples: [sample("i", -Infinity)] },
  { name: "j.k", type: "gauge", help: "", samples: [sample("j.k", 1, { labels: { "l.m": 'n"\\\n', o: "é" } })] },
  { name: "empty", type: "gauge", samples: [] },
];

test("Prometheus' own format", () => {
  expect(writeMetrics(FAMILIES)).toBe(`# HELP http_seconds a "b"\\nc\\\\d
# TYPE http_seconds histogram
http_seconds_bucket{le="1"} 1
http_seconds_bucket{le="+Inf"} 2
http_seconds_sum 3.5
http_seconds_count 2
# HELP http_seconds_created a "b"\\nc\\\\d
# TYPE http_seconds_created gauge
http_seconds_created 1000000000
# TYPE c_total counter
c_total 1 1520879607789
# TYPE c_created gauge
c_created 5
# TYPE d_total counter
d_total 1
# TYPE e counter
e +Inf
# TYPE build_info gauge
build_info{v="1"} 1
# TYPE f gauge
f{f="a"} 0
# TYPE g histogram
g_bucket{le="1e6"} 1
# TYPE g_gcount gauge
g_gcount 1
# TYPE g_gsum gauge
g_gsum -0
# TYPE s summary
s{quantile="0.5"} NaN
# TYPE i untyped
i -Inf
# HELP "j.k" 
# TYPE "j.k" gauge
{"j.k","l.m"="n\\"\\\\\\n",o="é"} 1
# TYPE empty gauge
`);
});

test("OpenMetrics", () => {
  expect(writeMetrics(FAMILIES, { format: "openmetrics" })).toBe(`# HELP http_seconds a \\"b\\"\\nc\\\\d
# TYPE http_seconds histogram
# UNIT http_seconds seconds
http_seconds_bucket{le="1.0"} 1 # {id="4f"} 0.5 1.5
http_seconds_bucket{le="+Inf"} 2
http_seconds_sum 3.5
http_seconds_count 2
http_seconds_created 1000000000
# TYPE c counter
c_total 1 1520879607.7895
c_created 5
# TYPE d counter
d_total 1
# TYPE e counter
e_total +Inf
# TYPE build info
build_info{v="1"} 1
# TYPE f stateset
f{f="a"} 0
# TYPE g gaugehistogram
g_bucket{le="1e+06"} 1
g_gcount 1
g_gsum -0
# TYPE s summary
s{quantile="0.5"} NaN
# TYPE i unknown
i -Inf
# HELP "j.k" 
# TYPE "j.k" gauge
{"j.k","l.m"="n\\"\\\\\\n",o="é"} 1
# TYPE empty gauge
# EOF
`);
});

test("timestamps are read back as they were", () => {
  const next = randomSource(3);
  const times = [0, 1, -1, 10, 999, 1000, 1001, -1500, 1e15, 1e-7, 1.5e-7, 0.25, 1520879607789, 9007199254740991];
  for (let i = 0; i < share(2000); i++) times.push((next(2 ** 31) * next(2 ** 22)) / 2 ** next(12));
  for (const timestamp of times) {
    const text = writeMetrics([{ name: "a", samples: [sample("a", 1, { timestamp })] }], { format: "openmetrics" });
    expect(parseMetrics(text).families[0]?.samples[0]?.timestamp, text).toBe(timestamp);
  }
});

describe("random families are read back", () => {
  const SUFFIXES: Readonly<Record<MetricType, readonly string[]>> = {
    unknown: [""],
    counter: ["_total", "_created"],
    gauge: [""],
    histogram: ["_bucket", "_sum", "_count", "_created"],
    gaugehistogram: ["_bucket", "_gsum", "_gcount"],
    summary: ["", "_sum", "_count", "_created"],
    info: ["_info"],
    stateset: [""],
  };
  const TEXTS = [
    "",
    "a",
    "é🙂",
    '"',
    "\\",
    "\n",
    "\\n",
    '\\"',
    "{}",
    "a,b=c",
    " # {",
    "\u0000",
    "\t",
    "\r",
    "x".repeat(300),
  ];
  const VALUES = [0, -0, 1, 1.5, -1e300, 5e-324, NaN, Infinity, -Infinity, 2 ** 53];

  function randomFamily(next: (below: number) => number, i: number, types: readonly MetricType[]): MetricFamily {
    const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
    const name = pick([`n${i}`, `n${i}.x`, `n:${i}`, `"${i}\\`]);
    const type = pick(types);
    const labels = (): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: next(3) }, (_, j) => [pick(["a", "b.c", "_d", "é", "__proto_"]) + j, pick(TEXTS)]),
      );
    const samples = Array.from({ length: 1 + next(4) }, () =>
      sample(name + pick(SUFFIXES[type]), pick(VALUES), {
        labels: labels(),
        timestamp: next(2) === 0 ? undefined : next(2 ** 31) * 1000 + next(1000),
        exemplar:
          next(3) > 0
            ? undefined
            : { labels: labels(), value: pick(VALUES), timestamp: next(2) === 0 ? undefined : next(1e9) },
      }),
    );
    return { name, type, help: next(2) === 0 ? undefined : pick(TEXTS), unit: undefined, samples };
  }

  test("OpenMetrics, whole", () => {
    const next = randomSource(11);
    for (let round = 0; round < share(1500); round++) {
      const types = Object.keys(SUFFIXES) as MetricType[];
      const families = Array.from({ length: next(4) }, (_, i) => randomFamily(next, i, types));
      const text = writeMetrics(families, { format: "openmetrics" });
      expect(parseMetrics(text).families).toEqual(families);
      expect(writeMetrics(parseMetrics(text).families, { format: "openmetrics" })).toBe(text);
    }
  });

  test("Prometheus' own format, every sample", () => {
    const next = randomSource(12);
    for (let round = 0; round < share(1500); round++) {
      const families = Array.from({ length: next(4) }, (_, i) =>
        randomFamily(next, i, Object.keys(SUFFIXES) as MetricType[]),
      );
      const text = writeMetrics(families, { format: "prometheus" });
      const read = parseMetrics(text, { format: "prometheus" }).families;
      const flat = (list: readonly MetricFamily[]): string[] =>
        list
          .flatMap(({ samples }) =>
            samples.map((each) =>
              JSON.stringify([each.name, Object.entries(each.labels), String(each.value), each.timestamp]),
            ),
          )
          .sort();
      expect(flat(read)).toEqual(flat(families));
      expect(writeMetrics(read)).toBe(text);
    }
  });
});

test("what cannot be written", () => {
  const families: readonly (readonly [unknown, string])[] = [
    [undefined, "families must be iterable"],
    [5, "families must be iterable"],
    [[null], "a family must be an object"],
    [[{ name: "", samples: [] }], "the name of a family"],
    [[{ name: 5, samples: [] }], "the name of a family"],
    [[{ name: "a", type: "other", samples: [] }], "is not a type"],
    [[{ name: "a", samples: {} }], "samples must be an array"],
    [[{ name: "a", samples: [5] }], "a sample is not 5"],
    [[{ name: "a", samples: [{ name: "b", labels: {}, value: 1 }] }], "does not belong"],
    [[{ name: "a", type: "gauge", samples: [{ name: "a_total", labels: {}, value: 1 }] }], "does not belong"],
    [[{ name: "a", samples: [{ name: "a", labels: {}, value: "1" }] }], "value must be a number"],
    [[{ name: "a", samples: [{ name: "a", value: 1 }] }], "labels must be an object"],
    [[{ name: "a", samples: [{ name: "a", labels: { b: 5 }, value: 1 }] }], "expected a text"],
    [[{ name: "a", samples: [{ name: "a", labels: { "": "b" }, value: 1 }] }], "the name of a label is empty"],
    [[{ name: "a", samples: [{ name: "a", labels: { __name__: "b" }, value: 1 }] }], "is not a label"],
    [[{ name: "a", samples: [{ name: "a", labels: { b: "\ud800" }, value: 1 }] }], "a lone surrogate"],
    [[{ name: "a\udc00", samples: [] }], "a lone surrogate"],
    [[{ name: "a", samples: [{ name: "a", labels: {}, value: 1, timestamp: NaN }] }], "timestamp must be"],
    [[{ name: "a", samples: [{ name: "a", labels: {}, value: 1, timestamp: 2 ** 60 }] }], "timestamp must be"],
  ];
  for (const [list, message] of families) {
    const error = caughtOurs(() => writeMetrics(list as never));
    expect(error.code, message).toBe("ERR_INVALID_ARGUMENT");
    expect(error.message).toMatch(message);
  }
  const unit = caughtOurs(() => writeMetrics([{ name: "a", unit: "seconds", samples: [] }], { format: "openmetrics" }));
  expect(unit.message).toMatch("must end in _ and its unit");
  expect(caughtOurs(() => writeMetrics([], { format: "json" as TextFormat })).code).toBe("ERR_INVALID_ARGUMENT");
  expect(caughtOurs(() => writeMetrics([], { fromat: "prometheus" } as never)).message).toMatch("did you mean format?");
});

test("no families", () => {
  expect(writeMetrics([])).toBe("");
  expect(writeMetrics(new Set<MetricFamily>(), { format: "openmetrics" })).toBe("# EOF\n");
});

test("a counter whose name is only the ending has a name in OpenMetrics", () => {
  for (const [type, name] of [
    ["counter", "_total"],
    ["info", "_info"],
  ] as const) {
    const text = writeMetrics([{ name, type, samples: [{ name, labels: {}, value: 1 }] }], { format: "openmetrics" });
    expect(text).toBe(`# TYPE ${name} ${type}\n${name}${name} 1\n# EOF\n`);
    expect(writeMetrics(parseMetrics(text).families, { format: "openmetrics" })).toBe(text);
  }
});
