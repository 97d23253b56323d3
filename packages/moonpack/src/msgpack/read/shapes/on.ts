/** `#runtime` on servers. */
export { codeGeneration as defaultShapes } from "./index.js";
