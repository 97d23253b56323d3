/** `#engine` in browsers, edge workers and unknown runtimes: nobody carries a generator unasked. */
import type { EngineGenerator } from "./engine.js";

export const defaultGenerator: EngineGenerator | null = null;
