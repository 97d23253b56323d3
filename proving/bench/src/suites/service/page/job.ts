import type { Operation } from "../../../types.js";
import type { GroupTimes } from "../figures.js";

/** What a worker of the page does: compares values, or measures one of ours and all others by turns. */
export interface PageJob {
  readonly kind: "check" | "mix";
  readonly operation: Operation;
  readonly candidate: string;
  readonly seed: number;
}

/** Times by candidate; none of a check. */
export type PageTimes = Readonly<Record<string, GroupTimes>>;
