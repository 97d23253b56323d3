/** The option `retention`: one duration for all metrics, or rules for some. */
import { durationOption, invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { type CompiledMatch, compileMatch, MATCH_OPTIONS } from "../select/match.js";

/** Maximum number of rules: a metric's rule is a byte in memory. */
const MAX_RULES = 250;

/** A checked rule. `keep` is in milliseconds, Infinity for ever. */
export interface CheckedRule {
  readonly match: CompiledMatch;
  readonly keep: number;
}

/** Checked rules. */
export interface CheckedRules {
  /** The milliseconds that metrics without a rule are kept. */
  readonly fallback: number;
  /** The first one that matches a metric counts. */
  readonly rules: readonly CheckedRule[];
}

/** Checks the option. Returns the longest time that any metric is kept, in milliseconds. Throws `ERR_INVALID_ARGUMENT`. */
export function readRetention(value: unknown): { retention: number; retentionRules: CheckedRules | undefined } {
  if (typeof value !== "object" || value === null) {
    const retention = durationOption("retention", value, Number.POSITIVE_INFINITY, 1);
    return { retention, retentionRules: undefined };
  }
  const given = optionsObject(value, "retention");
  refuseUnknown(given, ["default", "rules"], "option of retention");
  const standard = ownOption(given, "default");
  const fallback = keepOption("the default of retention", standard === undefined ? "forever" : standard);
  const list = ownOption(given, "rules");
  if (!Array.isArray(list) || list.length > MAX_RULES)
    throw invalidArgument(`the rules of retention must be a list of at most ${MAX_RULES} rules`);
  const rules = list.map((one: unknown, i) => {
    const what = `rule ${i} of retention`;
    const rule = optionsObject(one ?? null, what);
    refuseUnknown(rule, ["keep", ...MATCH_OPTIONS], "option of a rule of retention");
    const match = compileMatch(rule);
    return { match, keep: keepOption(`keep of ${what}`, ownOption(rule, "keep") ?? null) };
  });
  const retention = Math.max(fallback, ...rules.map(({ keep }) => keep));
  return { retention, retentionRules: { fallback, rules } };
}

function keepOption(name: string, value: unknown): number {
  return value === "forever" ? Number.POSITIVE_INFINITY : durationOption(name, value, 0, 1);
}
