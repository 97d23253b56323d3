/** Reads Prometheus' test scripts: `load`, `eval`, `expect` and `clear`. */
import type { Labels } from "@moonpack/prometheus";
import { durationOf, numberOf, type ScriptPoint, seriesOf } from "./promqltest-values.ts";

/** A text that an error or a warning must have or match. */
export interface Expected {
  readonly kind: "ordered" | "fail" | "warn" | "no_warn" | "info" | "no_info";
  readonly matches: (text: string) => boolean;
  readonly text: string;
}

/** Series to load. */
export interface Load {
  readonly kind: "load";
  readonly gap: number;
  /** True if classic histograms are also stored as native ones. */
  readonly isConverting: boolean;
  readonly series: ReturnType<typeof seriesOf>[];
}

/** A query and its result. */
export interface Case {
  readonly kind: "eval";
  readonly line: number;
  readonly query: string;
  readonly isRange: boolean;
  start: number;
  end: number;
  step: number;
  /** The range vector that an instant query returns, if it is one. */
  isRangeVector: boolean;
  readonly expected: Expected[];
  readonly series: { readonly labels: Labels; readonly points: readonly ScriptPoint[] }[];
  scalar: number | undefined;
  string: string | undefined;
}

/** A command of a script. */
export type Command = { readonly kind: "clear" } | Load | Case;

const INSTANT = /^eval(?:_(fail|warn|ordered|info))?\s+instant\s+(?:at\s+(.+?))?\s+(.+)$/;
const RANGE = /^eval(?:_(fail|warn|info))?\s+range\s+from\s+(.+)\s+to\s+(.+)\s+step\s+(.+?)\s+(.+)$/;
const EXPECT = /^expect\s+(ordered|fail|warn|no_warn|info|no_info)(?:\s+(regex|msg):(.+))?$/;
const RANGE_VECTOR = /^expect range vector\s+from\s+(.+)\s+to\s+(.+)\s+step\s+(.+)$/;

/** Returns the commands of a script. */
export function parseScript(text: string): Command[] {
  const lines = text.split("\n").map((line) => line.trim().replace(/^#.*/, ""));
  const commands: Command[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (line === "") continue;
    let end = i + 1;
    while (end < lines.length && lines[end] !== "") end++;
    const body = lines.slice(i + 1, end);
    if (line === "clear") {
      commands.push({ kind: "clear" });
      continue;
    }
    commands.push(line.startsWith("load") ? parseLoad(line, body) : parseCase(line, body, i + 1));
    i = end - 1;
  }
  return commands;
}

function parseLoad(line: string, body: readonly string[]): Load {
  const [, converting, gap] = /^load(_with_nhcb)?\s+(\S+)$/.exec(line)!;
  return { kind: "load", gap: durationOf(gap!), isConverting: converting !== undefined, series: body.map(seriesOf) };
}

function parseCase(line: string, body: readonly string[], number: number): Case {
  const instant = INSTANT.exec(line);
  const range = RANGE.exec(line);
  if (instant === null && range === null) throw new Error(`unknown command: ${line}`);
  const mode = (instant ?? range)![1];
  const common = { kind: "eval" as const, line: number, expected: mode === undefined ? [] : [anyOf(mode)], series: [] };
  const more = { isRangeVector: false, scalar: undefined, string: undefined };
  const time = durationOf(instant?.[2] ?? "0");
  const parsed: Case =
    instant !== null
      ? { ...common, ...more, query: instant[3]!, isRange: false, start: time, end: time, step: 1 }
      : {
          ...common,
          ...more,
          query: range![5]!,
          isRange: true,
          start: durationOf(range![2]!),
          end: durationOf(range![3]!),
          step: durationOf(range![4]!),
        };
  for (const one of body) parseExpectation(parsed, one);
  return parsed;
}

function anyOf(mode: string): Expected {
  return { kind: mode as Expected["kind"], matches: () => true, text: "any" };
}

function parseExpectation(parsed: Case, line: string): void {
  const vector = RANGE_VECTOR.exec(line);
  const expect = EXPECT.exec(line);
  if (vector !== null) {
    parsed.isRangeVector = true;
    [parsed.start, parsed.end, parsed.step] = vector.slice(1).map(durationOf) as [number, number, number];
  } else if (line.startsWith("expect string ")) parsed.string = JSON.parse(jsonOf(line.slice(14))) as string;
  else if (expect !== null) {
    const [, kind, form, text = ""] = expect;
    const wanted = text.trim();
    const regexp = new RegExp(form === "regex" ? wanted : "");
    const matches = form === "msg" ? (got: string) => got === wanted : (got: string) => regexp.test(got);
    parsed.expected.push({ kind: kind as Expected["kind"], matches, text: wanted });
  } else if (line.startsWith("expected_fail_message")) {
    const wanted = line.slice(21).trim();
    parsed.expected.push({ kind: "fail", matches: (got) => got === wanted, text: wanted });
  } else if (line.startsWith("expected_fail_regexp")) {
    const wanted = line.slice(20).trim();
    parsed.expected.push({ kind: "fail", matches: (got) => new RegExp(wanted).test(got), text: wanted });
  } else {
    const scalar = numberOf(line);
    if (scalar !== undefined) parsed.scalar = scalar;
    else parsed.series.push(seriesOf(line));
  }
}

/** A string of Go as JSON. */
function jsonOf(text: string): string {
  return text.startsWith("`") ? JSON.stringify(text.slice(1, -1)) : text;
}
