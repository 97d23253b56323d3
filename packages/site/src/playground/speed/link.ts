// Links with the messages of a race, and how they are measured.
import type { LinkForm } from "../shared/link.ts";

/** The input as texts. */
export interface SpeedEntry {
  /** The whole text; "" for a large file. */
  readonly text: string;
  /** The name of an input that is not in the text area; "" for typed text. */
  readonly name: string;
  /** `whole` if a list is one message; "" if each of its elements is. */
  readonly list: string;
  /** The number of rounds; "" for the default. */
  readonly rounds: string;
}

/** The links of the tab of speed. */
export const SPEED_LINKS: LinkForm<SpeedEntry> = {
  tab: "speed",
  parts: ["text", "name", "list", "rounds"],
  advice: "Shorten the messages: some of them measure as much.",
};
