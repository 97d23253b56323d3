import type { Engine } from "../engine.js";
import type { ExtensionTable } from "../extension-table.js";
import type { FidelityPreset } from "../fidelity/support.js";

/** Options of an encoder, checked and complete. */
export interface EncoderSettings {
  readonly utf8: "strict" | "replace";
  readonly canonical: boolean;
  readonly maxDepth: number;
  readonly maxBytes: number;
  readonly extensions: ExtensionTable;
  /** Values are encoded as JSON.stringify would. */
  readonly json: boolean;
  /** The preset `js`, if it was chosen. */
  readonly js: FidelityPreset | null;
  /** The engine, if one was chosen. */
  readonly engine: Engine | null;
}
