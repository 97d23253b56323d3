/** What selections read from. */
import type { Store } from "../drivers/driver.js";

/** The two functions of a store that read. */
export type IndexSource = Pick<Store, "getMany" | "range">;
