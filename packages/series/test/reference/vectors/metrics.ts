/** Vectors of metrics: canonical forms, entries of the column `metrics`, and what is not a metric. */
import { hexOf } from "../bytes.ts";
import { metricExample } from "../examples.ts";
import { encodeMetric, type Metric, type MetricType, metricEntries } from "../metric.ts";
import type { Vector } from "./notation.ts";
import { listOf } from "./random.ts";

type Tags = Metric["tags"];

function vector(name: string, metric: Metric, id = 0, type: MetricType = "float"): Vector {
  const entries = metricEntries(metric, id, type).map((entry) => entry.map(hexOf));
  return { name, metric, id, type, canonical: hexOf(encodeMetric(metric)), entries };
}

/** Metrics that a store refuses with ERR_INVALID_METRIC. */
function refused(name: string, metricName: string, tags: Tags = []): Vector {
  return { name, metric: { name: metricName, tags }, code: "ERR_INVALID_METRIC" };
}

/** Tags with short keys. */
function many(count: number, value: string): Tags {
  return listOf(count, (i) => [`k${i}`, value] as const);
}

export function metricVectors(): Vector[] {
  return [
    vector(metricExample.name, metricExample.metric),
    vector("a name only", { name: "up", tags: [] }, 1),
    vector("an int64 metric", { name: "requests", tags: [["path", "/"]] }, 2 ** 31 - 1, "int64"),
    vector("tags in another order", { name: "cpu", tags: [...many(3, "x"), ["a", "1"]] }, 70_000),
    vector("a key that another key begins with", {
      name: "a",
      tags: [
        ["ab", "1"],
        ["a", "2"],
        ["a.", "3"],
      ],
    }),
    vector("an empty value is no tag", {
      name: "a",
      tags: [
        ["x", ""],
        ["y", "1"],
      ],
    }),
    vector("keys go by their bytes, not by UTF-16", {
      name: "température",
      tags: [
        ["\u{1d11e}", "1"],
        ["\uffee", "2"],
        ["é", "3"],
      ],
    }),
    vector("nothing is normalised: é as one character and as two", {
      name: "é",
      tags: [
        ["é", "1"],
        ["e\u0301", "2"],
      ],
    }),
    vector("U+FEFF and spaces are text", { name: " \ufeff ", tags: [[" ", " "]] }),
    vector("a tag named __proto__", { name: "a", tags: [["__proto__", "1"]] }),
    vector("a name of 255 bytes", { name: "n".repeat(255), tags: [] }),
    vector("a key of 127 bytes, a value of 128", { name: "a", tags: [["é".repeat(63) + "k", "v".repeat(128)]] }),
    vector("32 tags", { name: "a", tags: many(32, "v") }),
    refused("an empty name", ""),
    refused("a name of 256 bytes", "n".repeat(256)),
    refused("a name of 128 characters and 256 bytes", "é".repeat(128)),
    refused("U+0000 in a name", "a\u0000"),
    refused("U+001F in a key", "a", [["\u001f", "1"]]),
    refused("U+007F in a value", "a", [["k", "\u007f"]]),
    refused("a lone surrogate", "a\ud800"),
    refused("an empty key", "a", [["", "1"]]),
    refused("a key of 128 bytes", "a", [["k".repeat(128), "1"]]),
    refused("a value of 1,024 bytes", "a", [["k", "v".repeat(1024)]]),
    refused("33 tags", "a", many(33, "v")),
    refused("a canonical form of more than 4,096 bytes", "a", many(5, "v".repeat(900))),
  ];
}
