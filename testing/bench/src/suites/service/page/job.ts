import type { Operation } from "../../../types.js";
import type { GroupTimes } from "../figures.js";

/** A job of the page's worker: compare values, or measure one of ours and all others alternately. */
export interface PageJob {
  readonly kind: "check" | "mix";
  readonly operation: Operation;
  readonly candidate: string;
  readonly seed: number;
}

/** Times by candidate; empty for a check. */
export type PageTimes = Readonly<Record<string, GroupTimes>>;
