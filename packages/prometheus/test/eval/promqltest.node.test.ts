/**
 * Prometheus' own PromQL tests, from its Go module: each case as it is written, at other times with `@` at each selector, and as the
 * middle step of a range query, like Prometheus' own runner.
 */
import { afterAll, describe, expect, test } from "vitest";
import { isLeftOut, readScripts } from "../harness/prometheus-module.ts";
import { type Outcome, runScript } from "../harness/promqltest-run.ts";

/**
 * The cases of each script that need what this package has not, by reason: native histograms in the data or the result, start times of
 * counters (`@st`), `anchored` and `smoothed` ranges, which the parser refuses. All other cases pass.
 */
const EXCEPTIONS: Readonly<Record<string, Partial<Record<NonNullable<Outcome["exception"]>, number>>>> = {
  "aggregators.test": { "native histograms": 34 },
  "extended_vectors.test": { "anchored, smoothed": 139, "native histograms": 4 },
  "functions.test": { "native histograms": 51 },
  "histograms.test": { "native histograms": 92 },
  "info.test": { "native histograms": 1 },
  "limit.test": { "native histograms": 22 },
  "native_histograms.test": { "native histograms": 519 },
  "operators.test": { "native histograms": 69 },
  "range_queries.test": { "native histograms": 1 },
  "start_timestamps.test": { "start times": 16, "native histograms": 7 },
  "subquery.test": { "native histograms": 2 },
};
/** The cases that pass, of all scripts. */
const PASSED = 1286;

let passed = 0;

describe.skipIf(isLeftOut)("Prometheus' test scripts", () => {
  for (const { name, text } of isLeftOut ? [] : readScripts())
    test(name, async () => {
      const outcomes = await runScript(text);
      const failed = outcomes.filter(({ failure }) => failure !== undefined);
      const unexplained = failed.filter(({ exception }) => exception === undefined);
      expect(unexplained.map(({ line, query, failure }) => `${line}: ${query}: ${failure}`)).toEqual([]);
      const exceptions: Record<string, number> = {};
      for (const { exception } of failed) exceptions[exception!] = (exceptions[exception!] ?? 0) + 1;
      expect(exceptions).toEqual(EXCEPTIONS[name] ?? {});
      passed += outcomes.length - failed.length;
    });
  afterAll(() => {
    expect(passed).toBe(PASSED);
  });
});
