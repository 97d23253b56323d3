/** `#fidelity` in browsers, edge workers and unknown runtimes: nobody carries the preset unasked. */
import type { FidelityPreset } from "./support.js";

export const builtInJs: FidelityPreset | null = null;
