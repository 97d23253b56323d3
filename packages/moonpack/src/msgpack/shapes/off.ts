/** `#codegen` in browsers, edge workers and unknown runtimes: nobody carries the generator unasked. */
import type { CodeGenerator } from "./index.js";

export const defaultGenerator: CodeGenerator | null = null;
