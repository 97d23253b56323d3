/** `label_replace` and `label_join`. */
import { isWellFormed } from "moonpack/bytes";
import { PrometheusError } from "../../errors.js";
import type { StringLiteral } from "../../parse/nodes.js";
import type { CallPlan, Grid, Plan } from "../../plan/nodes.js";
import { checkWork, compileRegExp } from "../../regexp.js";
import { type Labels, METRIC_NAME } from "../labels.js";
import { LABEL_WORK, WORK_UNITS } from "../pace.js";
import type { Run } from "../run.js";
import { mergeEqual, type StepSeries } from "../series.js";
import { expand, parseReplacement } from "./replacement.js";

/** The longest value that these functions make, in UTF-16 code units: nested calls could double it each time. */
const MAX_VALUE = 1 << 16;
/** The most groups of a regular expression: a match copies all of them at each character. */
const MAX_GROUPS = 100;

/** Evaluates `label_replace`. Series that become equal are merged. */
export async function labelReplace(run: Run, { arguments: args }: CallPlan, grid: Grid): Promise<StepSeries[]> {
  const [name, replacement, source, pattern] = args.slice(1).map(textOf) as [string, string, string, string];
  const regexp = compiled(pattern);
  // Calls may be nested, and each compiles its expression.
  await run.pace.spend(WORK_UNITS);
  if (regexp.groupCount() > MAX_GROUPS)
    throw failure(`the regular expression of label_replace() has more than ${MAX_GROUPS} groups`);
  if (!isLabelName(name)) throw failure(`invalid destination label name in label_replace(): ${name}`);
  const parts = parseReplacement(replacement);
  const named = regexp.namedGroups();
  const known = new Map<string, string | undefined>();
  const replaced = (text: string): string | undefined => {
    checkWork(regexp, text);
    const matcher = regexp.matcher(text);
    if (!matcher.matches()) return undefined;
    const texts = expand(parts, (group) => {
      if (typeof group === "number") return group <= regexp.groupCount() ? matcher.group(group) : null;
      return Object.hasOwn(named, group) ? matcher.group(group) : null;
    });
    return joined(texts, "");
  };
  return changed(run, args[0]!, grid, name, (labels) => {
    const text = labels.get(source);
    if (known.has(text)) return { value: known.get(text), work: LABEL_WORK };
    const value = replaced(text);
    known.set(text, value);
    return { value, work: WORK_UNITS };
  });
}

/** Evaluates `label_join`. Series that become equal are merged. */
export async function labelJoin(run: Run, { arguments: args }: CallPlan, grid: Grid): Promise<StepSeries[]> {
  const [name, separator, ...sources] = args.slice(1).map(textOf) as [string, string, ...string[]];
  for (const source of sources)
    if (!isLabelName(source)) throw failure(`invalid source label name in label_join(): ${source}`);
  if (!isLabelName(name)) throw failure(`invalid destination label name in label_join(): ${name}`);
  const work = LABEL_WORK * (1 + sources.length);
  return changed(run, args[0]!, grid, name, (labels) => {
    const texts = sources.map((source) => labels.get(source));
    return { value: joined(texts, separator), work };
  });
}

/** The new value of a label, undefined for the same one, and the work that it took. */
interface NewValue {
  readonly value: string | undefined;
  readonly work: number;
}

/** Gives a label of each series another value. */
async function changed(
  run: Run,
  vector: Plan,
  grid: Grid,
  name: string,
  newValue: (labels: Labels) => NewValue,
): Promise<StepSeries[]> {
  const series = await run.collect(vector, grid);
  for (const one of series) {
    const { value, work } = newValue(one.labels);
    const wait = run.pace.spend(work + (value?.length ?? 0));
    if (wait !== undefined) await wait;
    if (value === undefined) continue;
    one.labels = one.labels.with([[name, value]]);
    if (name === METRIC_NAME) one.dropName = false;
  }
  return mergeEqual(run.pace, series);
}

/** Joins texts. Throws `ERR_PROMQL_EXECUTION` before it makes a text that is too long. */
function joined(texts: readonly string[], separator: string): string {
  const length = texts.reduce((sum, text) => sum + text.length, separator.length * Math.max(0, texts.length - 1));
  if (length > MAX_VALUE) throw failure(`the value of a label would have ${length} characters, more than ${MAX_VALUE}`);
  return texts.join(separator);
}

function compiled(pattern: string): ReturnType<typeof compileRegExp> {
  try {
    return compileRegExp(pattern);
  } catch {
    throw failure(`invalid regular expression in label_replace(): ${pattern}`);
  }
}

function isLabelName(name: string): boolean {
  return name !== "" && isWellFormed(name);
}

function textOf(plan: Plan): string {
  return (plan as StringLiteral).value;
}

function failure(text: string): PrometheusError {
  return new PrometheusError("ERR_PROMQL_EXECUTION", text);
}
