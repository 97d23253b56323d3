/** The meaning of matchers, without an index. */
import type { Match, Matcher } from "../../src/api.ts";
import type { MetricHandle } from "../../src/metric/metric.ts";

/** Metrics that match, by the meaning of matchers. */
export function matching<M extends Pick<MetricHandle, "name" | "tags">>(
  metrics: readonly M[],
  { name, tags = {} }: Match,
): M[] {
  return metrics.filter(
    (metric) =>
      (name === undefined || isMatch(metric.name, name)) &&
      Object.entries(tags).every(([tag, matcher]) => {
        const [, value = ""] = Object.entries(metric.tags).find(([key]) => key === tag) ?? [];
        return isMatch(value, matcher);
      }),
  );
}

function isMatch(value: string, matcher: Matcher): boolean {
  if (typeof matcher === "string") return value === matcher;
  if (Array.isArray(matcher)) return matcher.includes(value);
  if (matcher instanceof RegExp) return new RegExp(`^(?:${matcher.source})$`, matcher.flags).test(value);
  if ("not" in matcher) return !isMatch(value, matcher.not);
  const { prefix } = matcher as { prefix: string };
  return value.slice(0, prefix.length) === prefix;
}
