/** Parses lists of labels, and the modifiers of an operator between two vectors. */
import { isWellFormed } from "moonpack/bytes";
import type { Cursor } from "./cursor.js";
import { isNumber, isSign, parseNumber } from "./durations.js";
import type { VectorMatching } from "./nodes.js";
import { quoteText } from "./quote.js";
import { stringValue } from "./scan-string.js";
import { isLabelName } from "./tokens.js";

/** Parses labels in parentheses. A comma may follow the last one. Throws `ERR_PROMQL_SYNTAX`. */
export function parseGrouping(c: Cursor): string[] {
  c.expect("(", "grouping opts", '"("');
  const labels: string[] = [];
  while (!c.skip(")")) {
    labels.push(parseLabel(c));
    if (!c.is(")")) c.expect(",", "grouping opts", '"," or ")"');
  }
  return labels;
}

function parseLabel(c: Cursor): string {
  if (isLabelName(c.token)) return c.next().text;
  const { start } = c.expect("string", "grouping opts", "label");
  const label = stringValue(c.query, start, c.end);
  if (label === "" || !isWellFormed(label))
    throw c.error(start, `invalid label name for grouping: ${quoteText(label)}`);
  return label;
}

/** Parses what may stand between a binary operator and its right side. */
export function parseModifiers(c: Cursor): { returnsBool: boolean; matching: VectorMatching } {
  const returnsBool = c.skip("bool");
  const isOn = c.is("on");
  const labels = c.skip("on") || c.skip("ignoring") ? parseGrouping(c) : undefined;
  let cardinality: VectorMatching["cardinality"] = "one-to-one";
  let include: string[] = [];
  if (labels !== undefined && (c.is("group_left") || c.is("group_right"))) {
    cardinality = c.next().text.toLowerCase() === "group_left" ? "many-to-one" : "one-to-many";
    if (c.is("(")) include = parseGrouping(c);
  }
  return { returnsBool, matching: { cardinality, isOn, labels: labels ?? [], include, ...parseFill(c) } };
}

/** Parses `fill`, or `fill_left` and `fill_right` in any order. */
function parseFill(c: Cursor): { fillLeft: number | undefined; fillRight: number | undefined } {
  if (c.skip("fill")) {
    const fill = parseFillValue(c);
    return { fillLeft: fill, fillRight: fill };
  }
  const isLeftFirst = c.is("fill_left");
  const left = c.skip("fill_left") ? parseFillValue(c) : undefined;
  const fillRight = c.skip("fill_right") ? parseFillValue(c) : undefined;
  const fillLeft = !isLeftFirst && fillRight !== undefined && c.skip("fill_left") ? parseFillValue(c) : left;
  return { fillLeft, fillRight };
}

function parseFillValue(c: Cursor): number {
  c.expect("(");
  const isNegative = isSign(c) && c.next().kind === "-";
  if (!isNumber(c)) throw c.unexpected();
  const { value } = parseNumber(c);
  c.expect(")");
  return isNegative ? -value : value;
}
