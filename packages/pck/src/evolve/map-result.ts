/** The maps that `resolve` returns: as the reader's own decoder returns them. */
import { recordOf } from "moonpack/bytes";
import { comparisonOf } from "../closures/comparison.js";
import { isObjectMap } from "../closures/representation.js";
import type { CodecSettings } from "../settings.js";
import type { MapConversion } from "./plan.js";

/** Returns a function that turns the decoded Map into a Map or object in the order of the reader's keys. */
export function mapResult(
  { to, isReordered }: MapConversion,
  settings: CodecSettings,
): (map: Map<unknown, unknown>) => unknown {
  const compare = comparisonOf(to.key);
  const isObject = isObjectMap(to, settings);
  return (map) => {
    const entries = isReordered ? [...map].sort((a, b) => compare(a[0], b[0])) : map;
    if (isObject) return recordOf(entries as Iterable<[string, unknown]>);
    return isReordered ? new Map(entries) : map;
  };
}
