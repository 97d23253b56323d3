/** `#fidelity` in browsers, edge workers and unknown runtimes: not in the bundle unless it is imported. */
import type { FidelityPreset } from "./support.js";

export const builtInJs: FidelityPreset | null = null;
