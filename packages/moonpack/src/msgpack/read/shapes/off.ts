/** `#runtime` in browsers, edge workers and unknown runtimes: not in the bundle unless it is imported. */
import type { ShapeSupport } from "../settings.js";

export const defaultShapes: ShapeSupport | null = null;

export const compileFunction: ((names: readonly string[], code: string) => (...values: unknown[]) => unknown) | null =
  null;
