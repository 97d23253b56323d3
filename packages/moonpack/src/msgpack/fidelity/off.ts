/** `#runtime` in browsers, edge workers and unknown runtimes: not in the bundle unless it is imported. */
import type { FidelityPreset } from "./support.js";

export function builtInPreset(_name: "js" | "js+regexp"): FidelityPreset | null {
  return null;
}
