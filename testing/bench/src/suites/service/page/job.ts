import type { Operation } from "../../../types.js";
import type { GroupTimes } from "../figures.js";

/** A job of the page's worker: compare the values of a candidate, or measure all by runs. */
export type PageJob =
  | { readonly kind: "check"; readonly operation: Operation; readonly candidate: string }
  | { readonly kind: "mix"; readonly operation: Operation; readonly seed: number };

/** Times by candidate; empty for a check. */
export type PageTimes = Readonly<Record<string, GroupTimes>>;
