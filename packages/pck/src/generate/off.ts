/** `#engine` in browsers, edge workers and unknown runtimes: the generator is bundled only on request. */
import type { EngineGenerator } from "../settings.js";

export const defaultGenerator: EngineGenerator | null = null;
