import { chosenParts, tablesOf } from "../../parts.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { agreement } from "./agreement.js";
import { cost } from "./cost.js";
import type { Part } from "./part.js";
import { stall } from "./stall.js";

const parts: readonly Part[] = [cost, stall, agreement];

/** The load runner: its own cost, and whether it agrees with another runner. */
export const runner: Suite<NumbersResult> = {
  name: "runner",
  title: "The load runner",
  async run(options) {
    const chosen = chosenParts(parts, options.filter);
    const tables = await tablesOf(chosen, (part) => part.run(options));
    return {
      ...resultHead("runner", options.quick, ["@moonpack/load", "autocannon", "undici", "hdr-histogram-js"]),
      tables,
    };
  },
  work(task) {
    const { part, job } = task as { readonly part: string; readonly job: unknown };
    return parts.find(({ id }) => id === part)!.work(job);
  },
  page: (result) => numbersPage(runner.title, result),
};
