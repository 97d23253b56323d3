/** `#engine` on servers. */
export { codeGeneration as defaultGenerator } from "./index.js";
