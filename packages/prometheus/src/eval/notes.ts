/** The warnings and infos of a query, each text once. */
import { formatShort } from "../parse/format-number.js";
import { quoteText } from "../parse/quote.js";

/** Counts that became smaller from one bucket of a histogram to the next, and were raised. */
export interface RaisedBuckets {
  readonly time: number;
  readonly minBucket: number;
  readonly maxBucket: number;
  readonly maxDifference: number;
}

interface Note {
  readonly isWarning: boolean;
  readonly text: string;
  start: number;
  /** The details of histograms that were raised, and how many. */
  raised?: {
    minTime: number;
    maxTime: number;
    minBucket: number;
    maxBucket: number;
    maxDifference: number;
    count: number;
  };
}

/** Collects warnings and infos. `start` is the offset in the query of the part that caused one. */
export class Notes {
  readonly #notes = new Map<string, Note>();

  warn(text: string, start: number): void {
    this.#add(`PromQL warning: ${text}`, true, start);
  }

  inform(text: string, start: number): void {
    this.#add(`PromQL info: ${text}`, false, start);
  }

  /** Adds the info for a rate of a metric whose name is not that of a counter. */
  notCounter(metric: string, start: number): void {
    const text = "metric might not be a counter, name does not end in _total/_sum/_count/_bucket:";
    this.inform(`${text} ${quoteText(metric)}`, start);
  }

  /** Adds the info for an operator between numbers that is for native histograms. */
  incompatible(operator: string, start: number): void {
    const text = "incompatible sample types encountered for binary operator";
    this.inform(`${text} ${quoteText(operator)}: float ${operator} float`, start);
  }

  /** Adds the warning for a quantile that is not from 0 to 1. */
  quantile(quantile: number, start: number): void {
    this.warn(`quantile value should be between 0 and 1, got ${formatShort(quantile)}`, start);
  }

  /** Adds the info for a histogram with falling counts. */
  raised(metric: string, { time, minBucket, maxBucket, maxDifference }: RaisedBuckets, start: number): void {
    const text =
      "input to histogram_quantile needed to be fixed for monotonicity (see https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile)";
    const note = this.#add(`PromQL info: ${withMetric(text, metric)}`, false, start);
    const raised = note.raised;
    if (raised === undefined) {
      note.raised = { minTime: time, maxTime: time, minBucket, maxBucket, maxDifference, count: 1 };
      return;
    }
    raised.minTime = Math.min(raised.minTime, time);
    raised.maxTime = Math.max(raised.maxTime, time);
    raised.minBucket = Math.min(raised.minBucket, minBucket);
    raised.maxBucket = Math.max(raised.maxBucket, maxBucket);
    raised.maxDifference = Math.max(raised.maxDifference, maxDifference);
    raised.count++;
  }

  /** Returns the texts with their place in the query. */
  texts(query: string): { readonly warnings: string[]; readonly infos: string[] } {
    const warnings: string[] = [];
    const infos: string[] = [];
    // Each place once: each of 100,000 series may have a note, and the query a million characters.
    const places = new Map<number, string>();
    for (const note of this.#notes.values()) {
      const place = places.get(note.start) ?? placeOf(query, note.start);
      places.set(note.start, place);
      (note.isWarning ? warnings : infos).push(`${note.text}${detailsOf(note)} (${place})`);
    }
    return { warnings, infos };
  }

  #add(text: string, isWarning: boolean, start: number): Note {
    const note = this.#notes.get(text) ?? { isWarning, text, start };
    // As in Prometheus, the last place counts, and for histograms the first one.
    if (note.raised === undefined) note.start = start;
    this.#notes.set(text, note);
    return note;
  }
}

/** Adds the metric's name, if it is known, to a text. */
export function withMetric(text: string, metric: string): string {
  return metric === "" ? text : `${text} for metric name ${quoteText(metric)}`;
}

function detailsOf({ raised }: Note): string {
  if (raised === undefined) return "";
  const { minTime, maxTime, minBucket, maxBucket, maxDifference, count } = raised;
  const buckets = `from buckets ${formatShort(minBucket)} to ${formatShort(maxBucket)}`;
  return `, ${buckets}, with a max diff of ${twoDigits(maxDifference)}, over ${count} samples from ${isoSeconds(minTime)} to ${isoSeconds(maxTime)}`;
}

function twoDigits(value: number): string {
  const rounded = roundedToEven(value);
  const text = formatShort(rounded);
  const [mantissa, exponent] = rounded.toExponential().split("e");
  if (text.includes("e") || !(Number(exponent) >= 2)) return text;
  return `${mantissa}e+${exponent!.slice(1).padStart(2, "0")}`;
}

/** A number with two digits. One in the middle becomes the one whose last digit is even, as in Go; `toPrecision` rounds it up. */
function roundedToEven(value: number): number {
  const middle = /^(\d\.[02468])50*(e.*)$/.exec(value.toExponential(60));
  return Number(middle === null ? value.toPrecision(2) : `${middle[1]}${middle[2]}`);
}

function isoSeconds(ms: number): string {
  return new Date(Math.trunc(ms / 1000) * 1000).toISOString().replace(".000Z", "Z");
}

/** Returns the line and the column of an offset. Columns count bytes of UTF-8, like Prometheus' own. */
function placeOf(query: string, offset: number): string {
  const before = query.slice(0, offset).split("\n");
  let column = 1;
  for (const character of before.at(-1)!) {
    const code = character.codePointAt(0)!;
    column += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return `${before.length}:${column}`;
}
