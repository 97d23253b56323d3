/** `#engine` on servers. */
export { codeGeneration as defaultGenerator } from "./index.js";

/** Returns the function that a code defines, whose free names are arguments. Throws where code generation is forbidden. */
export const compileFunction: ((names: readonly string[], code: string) => (...values: unknown[]) => unknown) | null = (
  names,
  code,
) => new Function(...names, code) as (...values: unknown[]) => unknown;
