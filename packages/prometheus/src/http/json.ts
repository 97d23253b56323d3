/** Writes answers as JSON, in chunks: the reader's pace is the writer's. */
import type { Labels } from "../eval/labels.js";
import { nextTurn } from "../eval/pace.js";
import type { QueryResult, QueryValue, ResultSeries } from "../eval/result.js";

/** The length of chunks, in characters. */
const CHUNK = 1 << 15;
/** The longest time without a turn of the event loop, in milliseconds. */
const SLICE_MS = 4;

/** The most times whose texts are kept for the next series. */
const MAX_SHARED = 1 << 14;

/** Yields the JSON of a query's result. */
export function resultJson({ value, warnings, infos }: QueryResult): AsyncGenerator<string, void, undefined> {
  const start = `{"status":"success","data":{"resultType":"${value.resultType}","result":`;
  return chunked(valueParts(value, start), `}${notes("warnings", warnings)}${notes("infos", infos)}}`);
}

/** Yields the JSON of a list. */
export function listJson(
  items: Iterable<string>,
  warnings: readonly string[],
): AsyncGenerator<string, void, undefined> {
  return chunked(listParts('{"status":"success","data":[', items), `]${notes("warnings", warnings)}}`);
}

/** Yields the JSON of an object. Each item is a name and its value. */
export function objectJson(items: Iterable<string>): AsyncGenerator<string, void, undefined> {
  return chunked(listParts('{"status":"success","data":{', items), "}}");
}

/** Returns labels as JSON. */
export function labelsJson(labels: Labels): string {
  return `{${labels.names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(labels.values[i])}`).join(",")}}`;
}

function notes(name: string, texts: readonly string[]): string {
  return texts.length === 0 ? "" : `,"${name}":${JSON.stringify(texts)}`;
}

/** Gathers texts in chunks. The event loop has a turn at least every few milliseconds. */
async function* chunked(parts: Iterable<string>, end: string): AsyncGenerator<string, void, undefined> {
  let text = "";
  let sliceEnd = performance.now() + SLICE_MS;
  for (const part of parts) {
    text += part;
    if (text.length < CHUNK) continue;
    yield text;
    text = "";
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
  yield text + end;
}

function* listParts(start: string, items: Iterable<string>): Generator<string, void, undefined> {
  let before = start;
  for (const item of items) {
    yield before + item;
    before = ",";
  }
  if (before === start) yield start;
}

function* valueParts(value: QueryValue, start: string): Generator<string, void, undefined> {
  yield start;
  if (value.resultType === "matrix") yield* matrixParts(value.series);
  else if (value.resultType === "vector") {
    const { labels, values } = value;
    const time = secondsText(value.time);
    yield "[";
    for (let i = 0; i < labels.length; i++)
      yield `${i === 0 ? "" : ","}{"metric":${labelsJson(labels[i]!)},"value":[${time},"${numberText(values[i]!)}"]}`;
    yield "]";
  } else {
    const text = value.resultType === "scalar" ? `"${numberText(value.value)}"` : JSON.stringify(value.value);
    yield `[${secondsText(value.time)},${text}]`;
  }
}

function* matrixParts(series: readonly ResultSeries[]): Generator<string, void, undefined> {
  // Series without gaps share their times.
  let shared: Float64Array | undefined;
  let starts: readonly string[] = [];
  yield "[";
  for (let s = 0; s < series.length; s++) {
    const { labels, timestamps, values } = series[s]!;
    let text = `${s === 0 ? "" : ","}{"metric":${labelsJson(labels)},"values":[`;
    if (timestamps === shared && starts.length === 0 && values.length <= MAX_SHARED)
      starts = Array.from(timestamps, (time, i) => `${i === 0 ? "" : ","}[${secondsText(time)},"`);
    const isKnown = timestamps === shared && starts.length > 0;
    for (let i = 0; i < values.length; i++) {
      const start = isKnown ? starts[i]! : `${i === 0 ? "" : ","}[${secondsText(timestamps[i]!)},"`;
      text += `${start}${numberText(values[i]!)}"]`;
      if (text.length < CHUNK) continue;
      yield text;
      text = "";
    }
    if (timestamps !== shared) [shared, starts] = [timestamps, []];
    yield `${text}]}`;
  }
  yield "]";
}

/** Returns milliseconds as seconds. */
function secondsText(ms: number): string {
  return String(ms / 1000);
}

/** Returns a number in Go's form, which JavaScript shares apart from these. Go's exponents have two digits. */
function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value !== 0 && Math.abs(value) < 1e-6) return String(value).replace(/-(\d)$/, "-0$1");
  return Object.is(value, -0) ? "-0" : value === -Infinity ? "-Inf" : String(value);
}
