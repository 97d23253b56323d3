/** `#engine` on servers. */
export { codeGeneration as defaultGenerator } from "../generate/index.js";
