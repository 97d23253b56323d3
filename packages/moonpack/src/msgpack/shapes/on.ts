/** `#codegen` on servers: generated readers are the default. */
export { codeGeneration as defaultGenerator } from "./index.js";
