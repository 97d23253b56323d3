/** The interface of what writes the regions of one file, for any language. */
import type { RegionData } from "./refresh.js";

/** All regions are added before any text is written: regions refer to each other, and to the imports at the top. */
export interface RegionWriter {
  /** Adds a region, in the order of the file. Throws for a region that is not valid there. */
  add(type: string, data: RegionData): void;
  /** Returns the text of each region, in the same order. Throws if a region is missing that others need. */
  texts(): readonly string[];
}
