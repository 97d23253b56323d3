/** The series and durations in Prometheus' test scripts: `metric{label="a"} 1+2x10 _ stale`. */
import { Labels, parseMatchers } from "@moonpack/prometheus";
import { type Point, STALE } from "./memory-source.ts";

/** Stands for a native histogram. */
export const HISTOGRAM = Symbol("histogram");
/** A value of a series in a script. */
export type ScriptPoint = Point | typeof HISTOGRAM;

const NUMBER = "[-+]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[iI]nf|[nN]a[nN])";
const ITEM = new RegExp(`^(${NUMBER})(?:([-+]${NUMBER.slice(5)})?x([0-9]+))?$`);
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** Returns a duration in milliseconds. */
export function durationOf(text: string): number {
  if (text === "0") return 0;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/([0-9]+)(ms|[smhdwy])/g)) ms += Number(count) * UNITS[unit!]!;
  return ms;
}

/** Returns a number; undefined for another text. */
export function numberOf(text: string): number | undefined {
  if (/^[-+]?inf$/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^[-+]?nan$/i.test(text)) return Number.NaN;
  return new RegExp(`^${NUMBER}$`).test(text) || /^[-+]?0x[0-9a-f]+$/i.test(text) ? Number(text) : undefined;
}

/** Splits a line into the labels and the values. */
export function seriesOf(line: string): { labels: Labels; points: ScriptPoint[]; isStart: boolean } {
  const end = endOfMetric(line);
  const rest = line.slice(end);
  const isStart = rest.startsWith("@st");
  return { labels: labelsOf(line.slice(0, end)), points: isStart ? [] : pointsOf(rest), isStart };
}

function endOfMetric(line: string): number {
  let quote = "";
  let isInBraces = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    if (quote !== "") {
      if (character === "\\" && quote !== "`") i++;
      else if (character === quote) quote = "";
    } else if (isInBraces && "\"'`".includes(character)) quote = character;
    else if (character === "{") isInBraces = true;
    else if (character === "}") return i + 1;
    else if (!isInBraces && (/\s/.test(character) || line.startsWith("@st", i))) {
      // Blanks may stand before the braces.
      if (!/^\s*\{(?!\{)/.test(line.slice(i))) return i;
    }
  }
  return line.length;
}

function labelsOf(text: string): Labels {
  const [name = "", ...braces] = text.split(/(?=\{)/);
  // A condition that is not empty makes `{}` valid.
  const matchers = text.startsWith("{")
    ? parseMatchers(`{zzz="z",${text.slice(1)}`).filter((matcher) => matcher.name !== "zzz")
    : parseMatchers(name.trim() + braces.join(""));
  return Labels.of(matchers.map((matcher) => [matcher.name, matcher.value] as const));
}

function pointsOf(text: string): ScriptPoint[] {
  const points: ScriptPoint[] = [];
  for (const [item] of text.matchAll(/\{\{.*?\}\}(?:[-+]\{\{.*?\}\})?(?:x[0-9]+)?|\S+/g)) {
    const blank = /^_(?:x([0-9]+))?$/.exec(item);
    if (item.startsWith("{{")) points.push(...repeated(HISTOGRAM, countOf(item)));
    else if (blank !== null) points.push(...repeated(undefined, blank[1] === undefined ? 1 : Number(blank[1])));
    else if (item === "stale") points.push(STALE);
    else points.push(...sequenceOf(item));
  }
  return points;
}

function countOf(item: string): number {
  const count = /x([0-9]+)$/.exec(item.slice(item.lastIndexOf("}}")))?.[1];
  return count === undefined ? 1 : Number(count) + 1;
}

function sequenceOf(item: string): number[] {
  const match = ITEM.exec(item);
  if (match === null) throw new Error(`unknown value in a series: ${item}`);
  const [, first, step, count] = match;
  let value = numberOf(first!)!;
  if (count === undefined) return [value];
  const values: number[] = [];
  for (let i = 0; i <= Number(count); i++) {
    values.push(value);
    value += step === undefined ? 0 : numberOf(step)!;
  }
  return values;
}

function repeated<T>(value: T, count: number): T[] {
  return Array.from({ length: count }, () => value);
}
