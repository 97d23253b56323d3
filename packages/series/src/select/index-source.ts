/** The source of selections. */
import type { Store } from "../drivers/driver.js";

/** The two read functions of a store. */
export type IndexSource = Pick<Store, "getMany" | "range">;
