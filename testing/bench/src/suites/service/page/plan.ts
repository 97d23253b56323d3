import { planOf } from "../sequence.js";

/** The sequence of a page: the short one. */
export const pagePlan = planOf(true);

/** Documents of each kind, so that a page has a few megabytes. */
export const PAGE_DOCUMENTS = 6;
