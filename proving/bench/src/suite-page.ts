import { goals } from "./bars/goals.js";
import type { ResultHead } from "./results.js";
import type { Suite } from "./suite.js";

/** The page of a suite: its own part, and its bars if it shows them. */
export function suitePage(suite: Suite, result: ResultHead): string {
  const page = suite.page(result);
  return suite.showsBars === true ? `${page}\n${goals(result)}` : page;
}
