/** Checks the arguments of `watch`. */
import { countOption, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { checkedList, checkedSignal } from "../read/request.js";
import { checkType } from "../registry/checks.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import { compileMatch, MATCH_OPTIONS } from "../select/match.js";

const MAX_POINTS = 65_536;
/** 20 bytes a point. */
const MOST_POINTS = 2 ** 26;

/** A checked request. */
export interface WatchRequest {
  readonly signal: AbortSignal | undefined;
  readonly maxPoints: number;
  /** Returns true for a watched metric. Throws `ERR_SERIES_TYPE` if it has another type than in the list. */
  matches(metric: RegisteredMetric): boolean;
  /** Returns the function that replaces {@link matches}, if it needs a library for regular expressions. */
  readonly complete: (() => Promise<WatchRequest["matches"]>) | undefined;
}

/** Checks the options of `watch`. Throws `ERR_INVALID_ARGUMENT`, for a listed metric also `ERR_INVALID_METRIC`. */
export function readWatching(watching: unknown, registry: Registry): WatchRequest {
  const given = optionsObject(watching ?? null, "a watch");
  refuseUnknown(given, ["signal", "maxPoints", "metrics", ...MATCH_OPTIONS], "option of watch");
  const signal = ownOption(given, "signal");
  const request = {
    signal: signal === undefined ? undefined : checkedSignal(signal),
    maxPoints: countOption("maxPoints", ownOption(given, "maxPoints"), MAX_POINTS, 1, MOST_POINTS),
  };
  const metrics = checkedList(given);
  if (metrics === undefined) {
    const match = compileMatch(given);
    const test =
      ({ matches }: typeof match) =>
      (metric: RegisteredMetric) =>
        matches(metric.name, metric.tags);
    const { complete } = match;
    return { ...request, matches: test(match), complete: complete && (async () => test(await complete())) };
  }
  const types = new Map(metrics.map((metric) => [registry.formText(metric), metric.type]));
  const matches = (metric: RegisteredMetric) => {
    const form = registry.formText(metric);
    if (types.has(form)) checkType(metric.name, types.get(form), metric.type);
    return types.has(form);
  };
  return { ...request, matches, complete: undefined };
}
