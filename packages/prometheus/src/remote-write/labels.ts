/** The labels of a series of remote write: whether they are valid, and in which form they are kept. */
import { type ErrorCode, printable, recordOf } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";

/** The longest part of a series that an error text shows. */
const MAX_SHOWN = 200;

/** A series of a request. */
export interface WriteSeries {
  /** The name of the metric. */
  readonly name: string;
  /** The other labels, sorted by name, without empty ones: an empty label is the same as none. */
  readonly labels: { readonly [name: string]: string };
}

/** Names and values of labels. Null is text that is not UTF-8. */
export type LabelPairs = (readonly [name: string | null, value: string | null])[];

/** Returns the series of these labels, or the error that says why there is none. Sorts the pairs. */
export function seriesOf(pairs: LabelPairs): WriteSeries | PrometheusError {
  let last = "";
  let isSorted = true;
  for (const [name, value] of pairs) {
    if (name === null || value === null) return refusal("ERR_INVALID_UTF8", "a label is not valid UTF-8", pairs);
    if (name === "") return refusal("ERR_INVALID_METRIC", "the name of a label is empty", pairs);
    if (name <= last) isSorted = false;
    last = name;
  }
  const sorted = pairs as [name: string, value: string][];
  // Senders must sort them, but receivers of Prometheus sort them too.
  if (!isSorted) sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  let name = "";
  last = "";
  const kept: [string, string][] = [];
  for (const pair of sorted) {
    if (pair[0] === last)
      return refusal("ERR_DUPLICATE_KEY", `the label ${JSON.stringify(last.slice(0, MAX_SHOWN))} occurs twice`, pairs);
    last = pair[0];
    if (last === "__name__") name = pair[1];
    else if (pair[1] !== "") kept.push(pair);
  }
  if (name === "") return refusal("ERR_INVALID_METRIC", "the series has no __name__", pairs);
  return { name, labels: recordOf(kept) };
}

function refusal(code: ErrorCode, message: string, pairs: LabelPairs): PrometheusError {
  let shown = "";
  for (const [name, value] of pairs) {
    if (shown.length > MAX_SHOWN) break;
    shown += `${shown === "" ? "" : ", "}${part(name)}=${part(value)}`;
  }
  return new PrometheusError(code, printable(`${message}: {${shown}${shown.length > MAX_SHOWN ? ".." : ""}}`));
}

function part(text: string | null): string {
  return text === null ? "(not UTF-8)" : JSON.stringify(text.slice(0, MAX_SHOWN));
}
