/** `#shapes` in browsers, edge workers and unknown runtimes: nobody carries it unasked. */
import type { ShapeSupport } from "./support.js";

export const defaultShapes: ShapeSupport | null = null;
