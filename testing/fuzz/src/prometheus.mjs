// Checks for what Prometheus and exporters send to @moonpack/prometheus: bodies of remote write, and texts of metrics. The first byte of
// an input chooses how the rest is read.
import { metricsParser, parseMetrics, writeMetrics } from "@moonpack/prometheus/text";
import { ByteWriter, MoonpackError } from "moonpack/bytes";
import { readWriteRequest } from "../../../packages/prometheus/build/remote-write/request.js";
import { unpackSnappy } from "../../../packages/prometheus/build/remote-write/snappy.js";
import { labelsOf, markerMetric, storedMetric } from "../../../packages/prometheus/build/store/stored-labels.js";
import { outcome, same } from "./outcome.mjs";

const MAX_RAW = 65_536;
/** The bits of a staleness marker, low word first. */
const STALE = [2, 0x7ff00000];

/** A field of Protobuf with a length. */
function field(w, number, content) {
  w.uvar32((number << 3) | 2);
  w.uvar32(content.length);
  w.raw(content);
}

function bytesOf(write) {
  const w = new ByteWriter();
  write(w);
  return w.written().slice();
}

const utf8 = (text) => bytesOf((w) => w.utf8(text));

function label(w, name, value) {
  const content = bytesOf((inner) => {
    field(inner, 1, utf8(name));
    field(inner, 2, utf8(value));
  });
  field(w, 1, content);
}

function sample(w, timestamp, value, isStale) {
  const content = bytesOf((inner) => {
    inner.u8(9);
    if (isStale) for (const word of STALE) inner.u32(word, true);
    else inner.f64(value, true);
    inner.u8(16);
    int64(inner, timestamp);
  });
  field(w, 2, content);
}

/** Writes the samples of a request as a sender does. */
function written({ series, offsets, timestamps, values, stale }) {
  return bytesOf((w) => {
    series.forEach(({ name, labels }, i) => {
      const one = bytesOf((inner) => {
        label(inner, "__name__", name);
        for (const [key, value] of Object.entries(labels)) label(inner, key, value);
        for (let at = offsets[i]; at < offsets[i + 1]; at++) sample(inner, timestamps[at], values[at], stale[at] === 1);
      });
      field(w, 1, one);
    });
  });
}

/** An int64 as a varint, without zigzag. */
function int64(w, value) {
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return w.u8(Number(rest));
    w.u8(Number(rest & 0x7fn) | 0x80);
  }
}

/** A snappy block with the bytes as they are. */
function packed(raw) {
  return bytesOf((w) => {
    w.uvar32(raw.length);
    if (raw.length === 0) return;
    w.u8(61 << 2);
    w.u16(raw.length - 1, true);
    w.raw(raw);
  });
}

/** The samples of a request are consistent, are read back, and their labels are read back from the form that a store takes. */
function checkRequest(request) {
  const { series, offsets, timestamps, values, stale, markers } = request;
  const size = timestamps.length;
  if (offsets.length !== series.length + 1 || offsets[0] !== 0 || offsets[series.length] !== size)
    throw new Error("the offsets do not fit");
  if (values.length !== size || stale.length !== size) throw new Error("the columns differ in length");
  if (stale.filter((each) => each === 1).length !== markers) throw new Error(`${markers} markers`);
  for (const { name, labels } of series) {
    const metric = storedMetric(name, labels);
    for (const text of [metric.name, ...Object.entries(metric.tags).flat()])
      if (/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ""))) throw new Error("a control character");
    const expected = new Map([["__name__", name], ...Object.entries(labels)]);
    for (const found of [labelsOf(metric), labelsOf(markerMetric(metric))])
      same(new Map(found), expected, "the labels");
  }
  const again = readWriteRequest(written(request));
  same([again.series, again.offsets, again.timestamps], [series, offsets, timestamps], "the request");
  same([again.values, again.stale], [values, stale], "the samples");
  const { refused, dropped, metadata } = request;
  const counts = [series.length, size, markers, refused.series, refused.samples, dropped.histograms, metadata.length];
  return counts.map((count) => Math.min(count, 4)).join(" ");
}

/** Blocks of snappy, or what they contain. */
function checkWrite() {
  return (bytes) => {
    const body = bytes.slice(1);
    const isRaw = (bytes[0] ?? 0) % 2 === 1;
    let raw = body;
    if (!isRaw) {
      const kind = outcome(
        () => unpackSnappy(body, MAX_RAW),
        body.length,
        (found) => {
          if (found.length > MAX_RAW) throw new Error(`${found.length} bytes`);
          raw = found;
        },
      );
      if (kind !== undefined) return `snappy ${kind}`;
    }
    if (raw.length > MAX_RAW) return "too long";
    return `${isRaw} ${outcome(
      () => readWriteRequest(raw),
      raw.length,
      (request) => {
        same(readWriteRequest(unpackSnappy(packed(raw), MAX_RAW)), request, "packed");
        return checkRequest(request);
      },
    )}`;
  };
}

/** Reads a text in pieces of some bytes. */
function inPieces(bytes, format, size) {
  const samples = [];
  const metadata = [];
  const errors = [];
  const parser = metricsParser({
    format,
    onSample: (sample) => samples.push(sample),
    onMetadata: (line) => metadata.push(line),
    onError: ({ code, line, column }) => errors.push([code, line, column]),
  });
  for (let at = 0; at < bytes.length; at += size) parser.write(bytes.subarray(at, at + size));
  return { samples, metadata, errors, counts: parser.end() };
}

/** A text is samples, metadata and errors, in whichever pieces it comes. Valid families are written, and read back. */
function checkText() {
  return (bytes) => {
    const [choice = 0] = bytes;
    const body = bytes.slice(1);
    const format = choice % 2 === 0 ? "prometheus" : "openmetrics";
    const whole = inPieces(body, format, body.length + 1);
    same(inPieces(body, format, 1 + (choice >> 1)), whole, "in pieces");
    if (whole.counts.samples !== whole.samples.length || whole.counts.errors !== whole.errors.length)
      throw new Error(`the counts ${JSON.stringify(whole.counts)}`);
    const { families } = parseMetrics(body, { format, onError: () => {} });
    for (const family of families) checkFamily(family);
    const codes = [...new Set(whole.errors.map(([code]) => code))].sort();
    const counts = [whole.samples.length, whole.metadata.length, whole.counts.exemplars, whole.counts.comments];
    return `${format} ${codes} ${counts.map((count) => Math.min(count, 4))}`;
  };
}

function checkFamily(family) {
  for (const format of ["prometheus", "openmetrics"]) {
    let text;
    try {
      text = writeMetrics([family], { format });
    } catch (error) {
      // A family may have samples or a unit that the format does not have.
      if (!(error instanceof MoonpackError && error.code === "ERR_INVALID_ARGUMENT")) throw error;
      continue;
    }
    same(writeMetrics(parseMetrics(text, { format }).families, { format }), text, `written as ${format}`);
  }
}

export const checks = { "prometheus-write": checkWrite, "prometheus-text": checkText };

const TEXTS = [
  '\0# HELP a_total A \\\\ \\n\n# TYPE a_total counter\na_total{x="1\\n\\"",y="é"} 5 1395066363000\na_total{x="2",} +Inf\n# c\n',
  '\x04# TYPE h histogram\nh_bucket{le="0.5"} 1\nh_bucket{le="+Inf"} 2\nh_sum 1e-5\nh_count 2\nb NaN\n{"x.y","a b"="c"} 1\n',
  '\x01# TYPE a counter\n# UNIT a_seconds seconds\na_total{x="1"} 5 1.5 # {trace="4f"} 0.7 1.6\na_created 1\n# EOF\n',
  '\x07# TYPE h histogram\n# HELP h H \\"\nh_bucket{le="1.0"} 1 # {} 2\nh_count 1\nh_sum 0.5\n# TYPE i info\ni_info{v="1"} 1\n# EOF\n',
];

function requestsOf() {
  const labels = { job: "a\n", "\ue000": "x", __stale__: "1" };
  const series = [
    { name: "up", labels },
    { name: "down", labels: {} },
  ];
  const columns = {
    series,
    offsets: Uint32Array.of(0, 3, 4),
    timestamps: Float64Array.of(1_700_000_000_000, -5, 0, 1),
    values: Float64Array.of(1, Number.NaN, Number.NaN, -0),
    stale: Uint8Array.of(0, 1, 0, 0),
  };
  const whole = written(columns);
  const up = bytesOf((w) => {
    w.raw(Uint8Array.of(8, 1));
    field(w, 2, utf8("up"));
  });
  const metadata = bytesOf((w) => field(w, 3, up));
  const raw = Uint8Array.of(...whole, ...metadata);
  // A copy that reads what it writes, with offsets of 1, 2 and 4 bytes.
  const copies = Uint8Array.of(0, 40, 0x10, ...raw.subarray(0, 5), 0x15, 5, 0x3e, 5, 0, 0x23, 3, 0, 0, 0, 4, 1, 2);
  return [Uint8Array.of(1, ...raw), Uint8Array.of(0, ...packed(raw)), Uint8Array.of(1, ...metadata), copies];
}

/** Creates the inputs from which a target starts. */
export const PROMETHEUS_SEEDS = {
  "prometheus-write": requestsOf,
  "prometheus-text": () => TEXTS.map((text) => new TextEncoder().encode(text)),
};
