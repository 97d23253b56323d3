/** Maps as the reader's own decoder gives them. */
import { isObjectMap } from "../codec/presence.js";
import type { CodecSettings } from "../codec/settings.js";
import { comparisonOf } from "../codec/write.js";
import type { MapConversion } from "./plan.js";

/** What a map is read as, in the order of the reader's keys. */
export function mapAnswer(
  { to, isReordered }: MapConversion,
  settings: CodecSettings,
): (map: Map<unknown, unknown>) => unknown {
  const compare = comparisonOf(to.key);
  const isObject = isObjectMap(to, settings);
  return (map) => {
    const entries = isReordered ? [...map].sort((a, b) => compare(a[0], b[0])) : map;
    if (isObject) return Object.fromEntries(entries);
    return isReordered ? new Map(entries) : map;
  };
}
