/** `#runtime` on servers: the names "js" and "js+regexp" are enough. */
import { js, jsRegExp } from "./index.js";
import type { FidelityPreset } from "./support.js";

export function builtInPreset(name: "js" | "js+regexp"): FidelityPreset | null {
  return name === "js" ? js : jsRegExp;
}
