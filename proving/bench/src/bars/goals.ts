/** The bars of a suite, met or not, as a part of its page. */
import { textTable } from "../report/table.js";
import type { ResultHead } from "../results.js";
import type { Bar } from "./bar.js";
import { bars } from "./list.js";
import { evaluateBars } from "./page.js";

/** A section of the page: each bar of the suite with what was measured. `all`: the bars of all suites. */
export function goals(result: ResultHead, all: readonly Bar[] = bars): string {
  const lines = evaluateBars(
    (name) => (name === result.suite ? result : undefined),
    all.filter(({ suite }) => suite === result.suite),
  );
  const rows = lines.map(({ what, wanted, measured, met }) => [
    what.replace(`${result.suite}, `, ""),
    wanted,
    measured ?? "",
    measured === undefined ? "not measured" : met ? "met" : "**not met**",
  ]);
  const met = lines.filter((line) => line.met).length;
  return [
    "## Goals",
    "",
    `Medians of the tables above. ${met} of ${lines.length} are met.`,
    "",
    textTable(["goal", "wanted", "measured", ""], rows),
    "",
  ].join("\n");
}
