/** `#fidelity` on servers: the name "js" is enough. */
export { js as builtInJs } from "./index.js";
