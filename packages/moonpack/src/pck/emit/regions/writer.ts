/** What writes the regions of one file, in whatever language. */
import type { RegionData } from "./engine.js";

/** All regions are looked at before any is written: they refer to each other, and to what is imported at the top. */
export interface RegionWriter {
  /** A region of the file, in the order in which they stand. Throws for what makes no sense there. */
  add(type: string, data: RegionData): void;
  /** The text of each, in the same order. Throws where one is missing that the others need. */
  texts(): readonly string[];
}
