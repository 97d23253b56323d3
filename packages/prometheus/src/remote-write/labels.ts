/** The labels of a series of remote write: whether they are valid, and in which form they are kept. */
import { type ErrorCode, printable, recordOf } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";

/** The longest part of a series that an error text shows. */
const MAX_SHOWN = 200;
/** The most labels of a series that are looked at. Stores keep fewer, but a label may be empty. */
export const MAX_PAIRS = 1024;

/** A series of a request. */
export interface WriteSeries {
  /** The name of the metric. */
  readonly name: string;
  /** The other labels, sorted by name, without empty ones: an empty label is the same as none. */
  readonly labels: { readonly [name: string]: string };
}

/** Names and values of labels. Null is text that is not UTF-8. */
export type LabelPairs = (readonly [name: string | null, value: string | null])[];

/** Why there is no series with these labels. A request may have millions of faults: only the first one becomes an error. */
export class LabelFault {
  readonly code: ErrorCode;
  readonly message: string;

  constructor(code: ErrorCode, message: string) {
    this.code = code;
    this.message = message;
  }

  /** Returns the error, which shows the labels. */
  error(pairs: LabelPairs): PrometheusError {
    let shown = "";
    for (const [name, value] of pairs) {
      if (shown.length > MAX_SHOWN) break;
      shown += `${shown === "" ? "" : ", "}${part(name)}=${part(value)}`;
    }
    return new PrometheusError(
      this.code,
      printable(`${this.message}: {${shown}${shown.length > MAX_SHOWN ? ".." : ""}}`),
    );
  }
}

/** Returns the series of these labels, or why there is none. Sorts the pairs. */
export function seriesOf(pairs: LabelPairs): WriteSeries | LabelFault {
  if (pairs.length > MAX_PAIRS) return new LabelFault("ERR_INVALID_METRIC", `more than ${MAX_PAIRS} labels`);
  let last = "";
  let isSorted = true;
  for (const [name, value] of pairs) {
    if (name === null || value === null) return new LabelFault("ERR_INVALID_UTF8", "a label is not valid UTF-8");
    if (name === "") return new LabelFault("ERR_INVALID_METRIC", "the name of a label is empty");
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
      return new LabelFault("ERR_DUPLICATE_KEY", `the label ${JSON.stringify(last.slice(0, MAX_SHOWN))} occurs twice`);
    last = pair[0];
    if (last === "__name__") name = pair[1];
    else if (pair[1] !== "") kept.push(pair);
  }
  if (name === "") return new LabelFault("ERR_INVALID_METRIC", "the series has no __name__");
  return { name, labels: recordOf(kept) };
}

function part(text: string | null): string {
  return text === null ? "(not UTF-8)" : JSON.stringify(text.slice(0, MAX_SHOWN));
}
