/** Texts of prom-client are read, in both formats, and written back as the same samples. */

import { chooseFormat, formatOfContentType, parseMetrics, writeMetrics } from "@moonpack/prometheus/text";
import { Counter, Gauge, Histogram, Registry, Summary } from "prom-client";
import { expect, test } from "vitest";

const LABELS = { method: "GET", path: 'a"\\\n é🙂' };

function fill(registry: Registry, isOpen: boolean): Registry {
  const registers = [registry];
  const labelNames = ["method", "path"];
  new Counter({ name: "requests_total", help: "Requests\nand \\", labelNames, registers }).inc(LABELS, 5);
  new Gauge({ name: "in_flight", help: "Now", registers }).set(-1.5);
  const histogram = new Histogram({
    name: "took_seconds",
    help: "Time",
    labelNames,
    buckets: [0.1, 1, 10],
    registers,
    enableExemplars: isOpen,
  });
  if (isOpen) histogram.observe({ labels: LABELS, value: 0.5, exemplarLabels: { trace_id: "4f" } } as never);
  else histogram.observe(LABELS, 0.5);
  new Summary({ name: "size_bytes", help: "Size", percentiles: [0.5, 0.99], registers }).observe(17);
  new Gauge({ name: "odd", help: "Odd", registers }).set(Number.POSITIVE_INFINITY);
  return registry;
}

test("0.0.4", async () => {
  const text = await fill(new Registry(), false).metrics();
  const { families, counts, format } = parseMetrics(text);
  expect(format).toBe("prometheus");
  expect(formatOfContentType(new Registry().contentType)).toBe("prometheus");
  expect(families.map(({ name, type, samples }) => [name, type, samples.length])).toEqual([
    ["requests_total", "counter", 1],
    ["in_flight", "gauge", 1],
    ["took_seconds", "histogram", 6],
    ["size_bytes", "summary", 4],
    ["odd", "gauge", 1],
  ]);
  expect(families[0]).toMatchObject({ help: "Requests\nand \\", samples: [{ labels: LABELS, value: 5 }] });
  expect(families[4]?.samples[0]?.value).toBe(Number.POSITIVE_INFINITY);
  expect(counts).toEqual({ samples: 13, exemplars: 0, comments: 0, errors: 0 });
  expect(parseMetrics(writeMetrics(families)).families).toEqual(families);
});

test("OpenMetrics", async () => {
  const registry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
  const text = await fill(registry, true).metrics();
  const { families, counts, format } = parseMetrics(text);
  expect(format).toBe("openmetrics");
  expect(formatOfContentType(registry.contentType)).toBe("openmetrics");
  expect(chooseFormat(registry.contentType)).toBe("openmetrics");
  expect(counts).toMatchObject({ errors: 0, exemplars: 1 });
  const histogram = families.find(({ name }) => name === "took_seconds");
  expect(histogram?.samples.find(({ exemplar }) => exemplar !== undefined)?.exemplar).toMatchObject({
    labels: { trace_id: "4f" },
    value: 0.5,
  });
  expect(families.find(({ type }) => type === "counter")?.samples[0]).toMatchObject({
    name: "requests_total",
    labels: LABELS,
    value: 5,
  });
  const written = writeMetrics(families, { format });
  expect(parseMetrics(written).families.map(({ name, type, samples }) => [name, type, samples.length])).toEqual(
    families.map(({ name, type, samples }) => [name, type, samples.length]),
  );
});
