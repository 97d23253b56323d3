/** The conditions of a query as a selection of a store, which keeps texts in another form and has one matcher a tag. */
import type { Match, Matcher, Series, LabelMatcher as StoreMatcher } from "@moonpack/series";
import { isWellFormed, recordOf } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import { METRIC_NAME } from "../eval/labels.js";
import { valueTest } from "../eval/matchers.js";
import { Pace, WORK_UNITS } from "../eval/pace.js";
import type { LabelMatcher } from "../parse/nodes.js";
import { listedTexts, patternStart } from "../regexp.js";
import { originalText, STALE_TAG, storedLabel, storedText } from "./stored-labels.js";

/** The most conditions of a selector: a store tests all of them for each series. */
const MAX_CONDITIONS = 500;

/** A selection of the series that meet all conditions. */
export interface StoreSelection extends Match {
  readonly matchers: readonly StoreMatcher[];
}

/**
 * Returns the selection for conditions; undefined if no series of a store can meet them. Regular expressions are tested on the original
 * texts of values, each once. The metrics of staleness markers are selected too. Throws `ERR_ABORTED`, and `ERR_LIMIT_ELEMENTS` for too many
 * conditions.
 */
export async function selectionOf(
  series: Series,
  conditions: readonly LabelMatcher[],
  signal: AbortSignal | undefined,
): Promise<StoreSelection | undefined> {
  if (conditions.length > MAX_CONDITIONS) {
    const text = `a selector has ${conditions.length} conditions, more than ${MAX_CONDITIONS}`;
    throw new PrometheusError("ERR_LIMIT_ELEMENTS", text);
  }
  const matchers: StoreMatcher[] = [];
  const patterns = new Map<string, LabelMatcher[]>();
  for (const condition of conditions) {
    const { name, operator, value } = condition;
    // No series has such a label: its value is the empty text.
    if (name === "" || !isWellFormed(name)) {
      if (!valueTest(condition)("")) return undefined;
    } else if (operator === "=" || operator === "!=") {
      if (isWellFormed(value)) matchers.push({ name: tagOf(name), op: operator, value: storedText(value) });
      else if (operator === "=") return undefined;
    } else {
      if (patternStart(value) !== undefined)
        matchers.push({ name: tagOf(name), op: operator, value: storedText(value) });
      else patterns.set(name, [...(patterns.get(name) ?? []), condition]);
    }
  }
  if (patterns.size === 0) return { matchers };
  const tags: [string, Matcher][] = [];
  const match: { name?: Matcher; tags?: Match["tags"] } = {};
  for (const [name, own] of patterns) {
    const matcher = listOf(own) ?? (await valuesOf(series, name, own, matchers, signal));
    if (name === METRIC_NAME) match.name = matcher;
    else tags.push([tagOf(name), matcher]);
  }
  return { ...match, tags: recordOf(tags), matchers };
}

/** Returns a selection with only, or without, the metrics of staleness markers. */
export function withMarkers(selection: StoreSelection, isMarker: boolean): StoreSelection {
  const matcher: StoreMatcher = { name: STALE_TAG, op: isMarker ? "!=" : "=", value: "" };
  return { ...selection, matchers: [...selection.matchers, matcher] };
}

/** Returns the tag of a label; the name of a metric has the same label in stores. */
export function tagOf(name: string): string {
  return name === METRIC_NAME ? name : storedLabel(name);
}

/** Returns the texts of one pattern such as `a|b|c`. */
function listOf(conditions: readonly LabelMatcher[]): Matcher | undefined {
  const [{ operator, value }] = conditions as [LabelMatcher];
  const texts = conditions.length > 1 ? undefined : listedTexts(value);
  if (texts === undefined) return undefined;
  const stored = texts.map(storedText);
  return operator === "=~" ? stored : { not: stored };
}

/** Returns the values of a label that meet all conditions, or the others, whichever are fewer. */
async function valuesOf(
  series: Series,
  name: string,
  conditions: readonly LabelMatcher[],
  matchers: readonly StoreMatcher[],
  signal: AbortSignal | undefined,
): Promise<Matcher> {
  const pace = new Pace(signal, Number.POSITIVE_INFINITY);
  const tests: ReturnType<typeof valueTest>[] = [];
  await pace.each(conditions, WORK_UNITS, (condition) => tests.push(valueTest(condition)));
  const values = await series.tagValues(tagOf(name), { matchers });
  const good: string[] = [];
  const bad: string[] = [];
  // A test of a regular expression may take milliseconds.
  await pace.each(["", ...values], WORK_UNITS, (stored) => {
    const value = originalText(stored);
    (tests.every((test) => test(value)) ? good : bad).push(stored);
  });
  return good.length <= bad.length ? good : { not: bad };
}
