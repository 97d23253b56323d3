/** Reads a whole text into families. */
import {
  type BytesInput,
  choiceOption,
  countOption,
  invalidArgument,
  isWellFormed,
  ownOptions,
  refuseUnknown,
  toBytes,
} from "moonpack/bytes";
import type { PrometheusError } from "../errors.js";
import { LineReader } from "./line-reader.js";
import { bytesParser, callOption, MAX_LINE_BYTES } from "./parser.js";
import {
  type MetricFamily,
  type MetricMetadata,
  type MetricSample,
  type MetricsCounts,
  type MetricType,
  SUFFIXES,
  type TextFormat,
} from "./types.js";

/** The length of `\n# EOF\n`. */
const OPEN_END_BYTES = 7;
const ALL_SUFFIXES = ["_total", "_created", "_bucket", "_sum", "_count", "_gsum", "_gcount", "_info"];

/** Options of {@link parseMetrics}. */
export interface ParseMetricsOptions {
  /** The format. Default: OpenMetrics if the text ends in the line `# EOF`, else Prometheus' own. */
  readonly format?: TextFormat | undefined;
  /** Called for each line that is not valid; the others are read. Default: the first error is thrown. */
  readonly onError?: ((error: PrometheusError) => void) | undefined;
  /** The longest line in bytes. Default 1 MiB. */
  readonly maxLineBytes?: number | undefined;
}

/** The content of a text. */
export interface ParsedMetrics {
  /** The format that was read. */
  readonly format: TextFormat;
  /** The families, in the order of the text. */
  readonly families: readonly MetricFamily[];
  /** The number of samples and others in the text. */
  readonly counts: MetricsCounts;
}

/**
 * Reads a whole text. A text that arrives in pieces is read by {@link metricsParser}, whose errors this function throws too. Where the
 * metadata of a family changes, another family of the same name begins.
 *
 * @example
 * const { families } = parseMetrics('# TYPE up gauge\nup{job="a"} 1\n');
 * families[0]; // { name: "up", type: "gauge", samples: [{ name: "up", labels: { job: "a" }, value: 1 }] }
 */
export function parseMetrics(text: string | BytesInput, options?: ParseMetricsOptions): ParsedMetrics {
  const given = ownOptions(options);
  refuseUnknown(given, ["format", "onError", "maxLineBytes"]);
  const maxLineBytes = countOption("maxLineBytes", given.maxLineBytes, MAX_LINE_BYTES, 1, 2 ** 30);
  const bytes = bytesOf(text);
  const format = choiceOption("format", given.format ?? detected(bytes), ["prometheus", "openmetrics"]);
  const families = new Families();
  const lines = new LineReader(format, {
    onSample: (sample) => families.add(sample),
    onMetadata: (metadata) => families.describe(metadata),
    onError: callOption("onError", given.onError),
  });
  const parser = bytesParser(lines, maxLineBytes);
  parser.write(bytes);
  const counts = parser.end();
  return { format, families: families.list, counts };
}

function bytesOf(text: string | BytesInput): Uint8Array {
  if (typeof text !== "string") return toBytes(text);
  if (isWellFormed(text)) return new TextEncoder().encode(text);
  throw invalidArgument("the text has a lone surrogate, which UTF-8 does not have");
}

/** Only OpenMetrics must end in this line. */
function detected(bytes: Uint8Array): TextFormat {
  const end = String.fromCharCode(...bytes.subarray(-OPEN_END_BYTES));
  return /(?:^|\n)# EOF\n?$/.test(end) ? "openmetrics" : "prometheus";
}

/** A family that is not complete. */
interface Draft {
  readonly name: string;
  type: MetricType | undefined;
  help: string | undefined;
  unit: string | undefined;
  readonly samples: MetricSample[];
}

/** Puts samples into families. Those of one family need not follow each other. */
class Families {
  readonly list: Draft[] = [];
  readonly #byName = new Map<string, Draft>();
  /** The family of each name of a sample. */
  readonly #owners = new Map<string, Draft>();

  add(sample: MetricSample): void {
    let family = this.#owners.get(sample.name);
    if (family === undefined) {
      family = this.#ownerOf(sample.name);
      this.#owners.set(sample.name, family);
    }
    family.samples.push(sample);
  }

  /**
   * Adds metadata. A family with other metadata begins another family of the same name: clients for Go write the gauge `x` and the counter
   * `x_total` as two families `x`.
   */
  describe({ name, type, help, unit }: MetricMetadata): void {
    let family = this.#byName.get(name);
    const isOther =
      family !== undefined &&
      (differs(type, family.samples.length > 0 ? (family.type ?? "unknown") : family.type) ||
        differs(help, family.help) ||
        differs(unit, family.unit));
    if (isOther) this.#owners.clear();
    if (family === undefined || isOther) family = this.#begin(name);
    family.type ??= type;
    family.help ??= help;
    family.unit ??= unit;
  }

  /** A family with the name of the sample comes first: `x_count` may be a gauge beside a histogram `x`. */
  #ownerOf(name: string): Draft {
    const same = this.#byName.get(name);
    if (same !== undefined && hasSuffix(same, "")) return same;
    for (const suffix of ALL_SUFFIXES) {
      const family = name.endsWith(suffix) ? this.#byName.get(name.slice(0, -suffix.length)) : undefined;
      if (family !== undefined && hasSuffix(family, suffix)) return family;
    }
    return same ?? this.#begin(name);
  }

  #begin(name: string): Draft {
    const family: Draft = { name, type: undefined, help: undefined, unit: undefined, samples: [] };
    this.#byName.set(name, family);
    this.list.push(family);
    return family;
  }
}

function differs(value: string | undefined, known: string | undefined): boolean {
  return value !== undefined && known !== undefined && value !== known;
}

function hasSuffix({ type = "unknown" }: Draft, suffix: string): boolean {
  return SUFFIXES.get(type)!.includes(suffix);
}
