export { StreamDecoder } from "./decoder.js";
