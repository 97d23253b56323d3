import {
  chooseFormat,
  type MetricFamily,
  type MetricSample,
  metricsParser,
  parseMetrics,
  type TextFormat,
  writeMetrics,
} from "@moonpack/prometheus/text";

const families: readonly MetricFamily[] = parseMetrics('# TYPE up gauge\nup{job="a"} 1 5\n').families;
console.log(families[0]!.samples[0]!.labels.job, families[0]!.samples[0]!.timestamp); // a 5
const format: TextFormat = chooseFormat("application/openmetrics-text");
console.log(JSON.stringify(writeMetrics(families, { format }))); // "# TYPE up gauge\nup{job=\"a\"} 1 0.005\n# EOF\n"
const samples: MetricSample[] = [];
const parser = metricsParser({ onSample: (sample) => samples.push(sample) });
for (const byte of new TextEncoder().encode('{"a.b"} NaN\n')) parser.write(Uint8Array.of(byte));
console.log(parser.end().samples, samples[0]!.name, samples[0]!.value); // 1 a.b NaN
