/** A recorded request as SVG: a row for each operation, with the time to the right. */
import type { Operation, Recording } from "./recording.js";
import { htmlText } from "./text.js";

/** The most operations that are drawn: the first ones. */
export const MAX_ROWS = 300;

/** Sizes in units of the picture. */
const WIDTH = 1120;
const LABELS = 230;
const ROW = 18;
const BAR = 12;
const TOP = 24;
const INDENT = 10;
const MAX_DEPTH = 8;
/** The longest label, in characters: it ends where the bars begin. */
const MAX_LABEL = 32;
/** The least width of a bar, so that it is visible. */
const MIN_WIDTH = 1;

const TICKS = 5;

/** Returns the picture of a request. */
export function requestSvg(recording: Recording): string {
  const { operations, duration, total } = recording;
  const scale = (WIDTH - LABELS - 10) / Math.max(duration, 1);
  const order = inOrder(operations);
  const rows = [handlerRow(recording, scale)];
  for (const { operation, depth } of order) rows.push(operationRow(operation, depth, rows.length, duration, scale));
  if (total > operations.length) {
    const text = `and ${total - operations.length} more, which only the output has`;
    rows.push(`<text x="0" y="${TOP + rows.length * ROW + 10}">${text}</text>`);
  }
  const height = TOP + rows.length * ROW + 4;
  const name = htmlText(`${recording.method} ${recording.url}: ${total} operations`);
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${name}">
${ticks(duration, scale, height)}
${rows.join("\n")}
</svg>`;
}

interface Placed {
  readonly operation: Operation;
  readonly depth: number;
}

/** Returns the operations in tree order, each below its parent. Without recursion: chains may be long. */
function inOrder(operations: readonly Operation[]): Placed[] {
  const children = new Map<number, Operation[]>();
  for (const operation of operations) {
    const siblings = children.get(operation.parent);
    if (siblings === undefined) children.set(operation.parent, [operation]);
    else siblings.push(operation);
  }
  const order: Placed[] = [];
  const waiting: Placed[] = [];
  const push = (parent: number, depth: number): void => {
    for (const operation of (children.get(parent) ?? []).toReversed()) waiting.push({ operation, depth });
  };
  push(0, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    order.push(next);
    push(next.operation.number, next.depth + 1);
  }
  return order;
}

function handlerRow({ duration, firstRun }: Recording, scale: number): string {
  const tip = `the request: ${milliseconds(duration)}, its handler ran ${milliseconds(firstRun)} at first`;
  return row(0, 0, "request", tip, [0, duration], [0, firstRun], scale);
}

function operationRow(
  { type, at, end, runs }: Operation,
  depth: number,
  index: number,
  duration: number,
  scale: number,
) {
  const until = Math.min(end ?? duration, duration);
  const count = runs.length / 2;
  let ran = 0;
  for (let i = 1; i < runs.length; i += 2) ran += runs[i]!;
  const times = count === 0 ? "did not run" : `ran ${milliseconds(ran)} in ${count === 1 ? "1 run" : `${count} runs`}`;
  const ended = end === undefined ? "end not recorded" : `to ${milliseconds(end)}`;
  const tip = `${type}: from ${milliseconds(at)}, ${ended}, ${times}`;
  return row(index, Math.min(depth + 1, MAX_DEPTH), type, tip, [at, until - at], runs, scale);
}

/** `bar` and `runs` are starts and lengths in microseconds. */
function row(
  index: number,
  depth: number,
  label: string,
  tip: string,
  [start, length]: readonly [number, number],
  runs: readonly number[],
  scale: number,
): string {
  const y = TOP + index * ROW;
  const indent = depth * INDENT;
  const room = MAX_LABEL - Math.ceil((indent * MAX_LABEL) / LABELS);
  const text = label.length > room ? `${label.slice(0, room - 1)}…` : label;
  const wait = `<path class="wait" d="${bars([start, length], y, scale)}"/>`;
  const run = runs.length === 0 ? "" : `<path class="run" d="${bars(runs, y, scale)}"/>`;
  return `<g><title>${htmlText(tip)}</title><text x="${indent}" y="${y + 10}">${htmlText(text)}</text>${wait}${run}</g>`;
}

/** Returns bars as a path, to a tenth of a unit. Overlapping bars are joined: a socket may have run 5,000 times. */
function bars(times: readonly number[], y: number, scale: number): string {
  const parts: string[] = [];
  let from = 0;
  let to = -1;
  const draw = (): void => {
    if (to >= 0) parts.push(`M${from / 10} ${y}h${(to - from) / 10}v${BAR}h${(from - to) / 10}z`);
  };
  for (let i = 0; i < times.length; i += 2) {
    const start = Math.round((LABELS + times[i]! * scale) * 10);
    const end = Math.max(Math.round((LABELS + (times[i]! + times[i + 1]!) * scale) * 10), start + MIN_WIDTH * 10);
    if (start > to) {
      draw();
      from = start;
    }
    to = Math.max(to, end);
  }
  draw();
  return parts.join("");
}

function ticks(duration: number, scale: number, height: number): string {
  const lines: string[] = [];
  const step = tickStep(duration);
  for (let time = 0; time <= duration; time += step) {
    const x = Math.round((LABELS + time * scale) * 10) / 10;
    const isLast = x > WIDTH - 40;
    const anchor = isLast ? ' text-anchor="end"' : "";
    lines.push(
      `<line x1="${x}" x2="${x}" y1="16" y2="${height}"/><text x="${x}" y="11"${anchor}>${tickText(time)}</text>`,
    );
  }
  return `<g class="scale">${lines.join("")}</g>`;
}

/** Returns 1, 2 or 5 times a power of ten of microseconds, for about five ticks. */
function tickStep(duration: number): number {
  const least = Math.max(duration / TICKS, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

function tickText(time: number): string {
  return `${time / 1000} ms`;
}

function milliseconds(time: number): string {
  return `${(time / 1000).toFixed(3)} ms`;
}
