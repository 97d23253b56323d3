// Links with the text of the first tab, and what is shown of an input that is not in the text area.
import type { LinkForm } from "../shared/link.ts";

/** The input as texts. */
export interface Entry {
  /** The whole text; of a file, its bytes as base64. */
  readonly text: string;
  /** The chosen form of the text; "" for the detected one. */
  readonly form: string;
  /** The name of an input that is not in the text area, such as a file's; "" for typed text. */
  readonly name: string;
  /** How the bytes are read, as `settingsText` writes it; "" or none for the defaults. */
  readonly settings?: string;
}

/** The links of the tab of bytes. */
export const BYTES_LINKS: LinkForm<Entry> = {
  tab: "bytes",
  parts: ["text", "form", "name", "settings"],
  advice: "Shorten the input: a part of it shows as much.",
};
