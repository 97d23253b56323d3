/** `#engine` in browsers, edge workers and unknown runtimes: the generator is bundled only on request. */
import type { EngineGenerator } from "../settings.js";

export const defaultGenerator: EngineGenerator | null = null;

export const compileFunction: ((names: readonly string[], code: string) => (...values: unknown[]) => unknown) | null =
  null;
