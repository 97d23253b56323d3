/** OpenMetrics 1.0.0, by its specification and the lexer of Prometheus' server. */
import { parseMetrics } from "@moonpack/prometheus/text";
import { describe, expect, test } from "vitest";
import { readAll } from "./read.ts";

test("timestamps are seconds, read without a loss", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["0", 0],
    ["1520879607.789", 1520879607789],
    ["1.001", 1001],
    ["1e3", 1_000_000],
    ["1.5e-3", 1.5],
    ["-1.5", -1500],
    ["1520879607.789123", 1520879607789.123],
    ["1.520879607789e9", 1520879607789],
  ];
  for (const [text, timestamp] of cases)
    expect(readAll(`a 1 ${text}\n# EOF`, "openmetrics").samples[0]?.timestamp, text).toBe(timestamp);
});

describe("exemplars", () => {
  const cases: readonly (readonly [string, object])[] = [
    ["a 1 # {} 0.67", { labels: {}, value: 0.67, timestamp: undefined }],
    ['a 1 # {b="c"} 0.67 1520879607.789', { labels: { b: "c" }, value: 0.67, timestamp: 1520879607789 }],
    ['a{d="# {"} 1 5 # {b="c",e="\\n"} -Inf', { labels: { b: "c", e: "\n" }, value: -Infinity, timestamp: undefined }],
  ];
  test.each(cases)("%j", (text, exemplar) => {
    const { samples, counts } = readAll(`${text}\n# EOF\n`, "openmetrics");
    expect(samples[0]?.exemplar).toEqual(exemplar);
    expect(counts.exemplars).toBe(1);
  });
});

test("a text of all types", () => {
  const text = `# TYPE acme_http_router_request_seconds summary
# UNIT acme_http_router_request_seconds seconds
# HELP acme_http_router_request_seconds Latency though \\"all\\" of ACME's\\nrouter.
acme_http_router_request_seconds_sum{path="/api/v1",method="GET"} 9036.32
acme_http_router_request_seconds_count{path="/api/v1",method="GET"} 807283.0
acme_http_router_request_seconds_created{path="/api/v1",method="GET"} 1605281325.0
# TYPE go_goroutines gauge
go_goroutines 69
# TYPE process_cpu_seconds counter
# UNIT process_cpu_seconds seconds
process_cpu_seconds_total 4.20072246e+06
process_cpu_seconds_created 1.6e9
# TYPE h histogram
h_bucket{le="0.1"} 8 # {trace_id="4f"} 0.054
h_bucket{le="+Inf"} 17
h_count 17
h_sum 324789.3
# TYPE gh gaugehistogram
gh_bucket{le="+Inf"} 17
gh_gcount 17
gh_gsum 3
# TYPE build info
build_info{version="8.2.7"} 1
# TYPE feature stateset
feature{feature="a"} 1
feature{feature="b"} 0
# TYPE other unknown
other 1
# UNIT empty 
# HELP empty 
# EOF
`;
  const { families, format, counts } = parseMetrics(text);
  expect(format).toBe("openmetrics");
  expect(counts).toEqual({ samples: 17, exemplars: 1, comments: 0, errors: 0 });
  expect(families.map(({ name, type, unit, samples }) => [name, type, unit, samples.length])).toEqual([
    ["acme_http_router_request_seconds", "summary", "seconds", 3],
    ["go_goroutines", "gauge", undefined, 1],
    ["process_cpu_seconds", "counter", "seconds", 2],
    ["h", "histogram", undefined, 4],
    ["gh", "gaugehistogram", undefined, 3],
    ["build", "info", undefined, 1],
    ["feature", "stateset", undefined, 2],
    ["other", "unknown", undefined, 1],
    ["empty", undefined, "", 0],
  ]);
  expect(families[0]?.help).toBe('Latency though "all" of ACME\'s\nrouter.');
});

test("the last line shows the format", () => {
  expect(parseMetrics("a 1 5\n# EOF\n").families[0]?.samples[0]?.timestamp).toBe(5000);
  expect(parseMetrics("a 1 5\n# EOF").families[0]?.samples[0]?.timestamp).toBe(5000);
  expect(parseMetrics("a 1 5\n# EOF \n").families[0]?.samples[0]?.timestamp).toBe(5);
  expect(parseMetrics("a 1 5\n# EOF\n", { format: "prometheus" }).families[0]?.samples[0]?.timestamp).toBe(5);
  expect(parseMetrics("# EOF").format).toBe("openmetrics");
  expect(parseMetrics("").format).toBe("prometheus");
});
