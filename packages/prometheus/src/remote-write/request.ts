/** The content of a request of remote write 1.0: prompb/remote.proto and prompb/types.proto of Prometheus. */
import { readUtf8 } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import type { Pace } from "../eval/pace.js";
import { countMarkers } from "../store/sample-writer.js";
import type { MetricMetadata, MetricType } from "../text/types.js";
import { Columns } from "./columns.js";
import { LabelFault, type LabelPairs, MAX_PAIRS, seriesOf, type WriteSeries } from "./labels.js";
import { Wire } from "./wire.js";

/** The most metadata of a request that is kept. */
const MAX_METADATA = 10_000;
/** Fields of a series that are read at once: one series may fill a request. */
const FIELDS_AT_ONCE = 4096;
/** The range of Date. */
const MAX_TIME = 8.64e15;
/** The types of metadata, by their number; every other number is unknown. */
const TYPES: ReadonlyMap<number, MetricType> = /* @__PURE__ */ new Map<number, MetricType>([
  [1, "counter"],
  [2, "gauge"],
  [3, "histogram"],
  [4, "gaugehistogram"],
  [5, "summary"],
  [6, "info"],
  [7, "stateset"],
]);

/** The content of a request, ready to be stored. */
export interface WriteRequest {
  /** The series that have samples. One may occur twice. */
  readonly series: readonly WriteSeries[];
  /** The samples of series i are those from `offsets[i]` up to `offsets[i + 1]`. */
  readonly offsets: Uint32Array;
  /** Whole milliseconds since 1970, in the order of the request. */
  readonly timestamps: Float64Array;
  /** The values. A marker has NaN. */
  readonly values: Float64Array;
  /** 1 for a staleness marker, which is not a value, else 0. */
  readonly stale: Uint8Array;
  /** How many markers there are. */
  readonly markers: number;
  /** Types, help texts and units of families. */
  readonly metadata: readonly MetricMetadata[];
  /** The number of valid items that are not kept. Metadata that is not valid counts here too. */
  readonly dropped: { readonly histograms: number; readonly exemplars: number; readonly metadata: number };
  /** The number of series that are not valid, and of samples: theirs, and samples that are not valid themselves. */
  readonly refused: { readonly series: number; readonly samples: number; readonly first: PrometheusError | undefined };
}

/**
 * Reads a request. Series whose labels are not valid are left out and counted: no name (`ERR_INVALID_METRIC`), an empty name of a label,
 * a label twice (`ERR_DUPLICATE_KEY`), text that is not UTF-8 (`ERR_INVALID_UTF8`); and samples whose time is beyond the range of Date
 * (`ERR_OUT_OF_RANGE`). Throws for bytes that are not a request: DecodeErrors `ERR_TRUNCATED`, `ERR_INVALID_BYTE` and
 * `ERR_OUT_OF_RANGE`; `ERR_LIMIT_ELEMENTS` for too many samples.
 */
export function readWriteRequest(bytes: Uint8Array<ArrayBuffer>): WriteRequest {
  const reader = new RequestReader(bytes);
  while (reader.next());
  return reader.result;
}

/** Reads a request as {@link readWriteRequest} does, and lets the event loop run. */
export async function readWriteRequestInSlices(bytes: Uint8Array<ArrayBuffer>, pace: Pace): Promise<WriteRequest> {
  const reader = new RequestReader(bytes);
  for (let at = 0; reader.next(); at = reader.at) {
    const wait = pace.spend(reader.at - at);
    if (wait !== undefined) await wait;
  }
  return reader.result;
}

/** A series that has not ended. */
interface OpenSeries {
  /** Where it ends. */
  readonly end: number;
  /** Its first sample. */
  readonly first: number;
  readonly labels: LabelPairs;
}

class RequestReader {
  readonly #wire: Wire;
  readonly #columns = new Columns();
  readonly #series: WriteSeries[] = [];
  readonly #offsets = [0];
  readonly #metadata: MetricMetadata[] = [];
  readonly #dropped = { histograms: 0, exemplars: 0, metadata: 0 };
  readonly #refused = { series: 0, samples: 0, first: undefined as PrometheusError | undefined };
  #open: OpenSeries | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#wire = new Wire(bytes);
  }

  /** The place of the next byte. */
  get at(): number {
    return this.#wire.at;
  }

  /** Reads a field of the request, or a part of a long one. Returns false at the end. */
  next(): boolean {
    const wire = this.#wire;
    const end = wire.bytes.length;
    if (this.#open !== undefined) this.#timeSeries(this.#open);
    else if (!wire.next(end)) return false;
    else if (wire.field === 1) this.#timeSeries({ end: wire.length(end), first: this.#columns.size, labels: [] });
    else if (wire.field === 3) this.#metadataOf(wire.length(end));
    else wire.skip(end);
    return true;
  }

  /** The content that was read. */
  get result(): WriteRequest {
    const { timestamps, values, stale, size } = this.#columns;
    const kept = stale.subarray(0, size);
    return {
      series: this.#series,
      offsets: Uint32Array.from(this.#offsets),
      timestamps: timestamps.subarray(0, size),
      values: values.subarray(0, size),
      stale: kept,
      markers: countMarkers(kept),
      metadata: this.#metadata,
      dropped: this.#dropped,
      refused: this.#refused,
    };
  }

  #timeSeries(one: OpenSeries): void {
    const wire = this.#wire;
    const { end, labels } = one;
    this.#open = one;
    for (let i = 0; wire.next(end); i++) {
      const { field } = wire;
      // One label too many says that there are too many.
      if (field === 1 && labels.length <= MAX_PAIRS) labels.push(this.#label(wire.length(end)));
      else if (field === 2) this.#sample(wire.length(end));
      else {
        if (field === 3) this.#dropped.exemplars++;
        if (field === 4) this.#dropped.histograms++;
        wire.skip(end);
      }
      if (i === FIELDS_AT_ONCE) return;
    }
    this.#open = undefined;
    this.#endSeries(one);
  }

  #endSeries({ first, labels }: OpenSeries): void {
    const series = seriesOf(labels);
    if (series instanceof LabelFault) {
      this.#refused.series++;
      this.#refused.samples += this.#columns.size - first;
      this.#refused.first ??= series.error(labels);
      this.#columns.size = first;
    } else if (this.#columns.size > first) {
      this.#series.push(series);
      this.#offsets.push(this.#columns.size);
    }
  }

  #label(end: number): LabelPairs[number] {
    const wire = this.#wire;
    let name: string | null = "";
    let value: string | null = "";
    while (wire.next(end)) {
      if (wire.field === 1) name = this.#text(end);
      else if (wire.field === 2) value = this.#text(end);
      else wire.skip(end);
    }
    return [name, value];
  }

  #sample(end: number): void {
    const wire = this.#wire;
    let timestamp = 0;
    let at = -1;
    while (wire.next(end)) {
      if (wire.field === 1) at = wire.double(end);
      else if (wire.field === 2) timestamp = wire.int64(end);
      else wire.skip(end);
    }
    if (Math.abs(timestamp) <= MAX_TIME) {
      this.#columns.add(timestamp, wire.view, at);
      return;
    }
    this.#refused.samples++;
    this.#refused.first ??= new PrometheusError(
      "ERR_OUT_OF_RANGE",
      `the timestamp ${timestamp} is beyond the times of JavaScript`,
    );
  }

  #metadataOf(end: number): void {
    const wire = this.#wire;
    let type = 0;
    let name: string | null = "";
    let help: string | null = "";
    let unit: string | null = "";
    while (wire.next(end)) {
      if (wire.field === 1) type = wire.int64(end);
      else if (wire.field === 2) name = this.#text(end);
      else if (wire.field === 4) help = this.#text(end);
      else if (wire.field === 5) unit = this.#text(end);
      else wire.skip(end);
    }
    const isValid = name !== null && name !== "" && help !== null && unit !== null;
    if (!isValid || this.#metadata.length >= MAX_METADATA) this.#dropped.metadata++;
    else this.#metadata.push({ name: name!, type: TYPES.get(type) ?? "unknown", help: help!, unit: unit! });
  }

  /** Reads a text; null if it is not UTF-8. */
  #text(messageEnd: number): string | null {
    const wire = this.#wire;
    const end = wire.length(messageEnd);
    const start = wire.at;
    wire.at = end;
    return readUtf8(wire.bytes, wire.view, start, end);
  }
}
