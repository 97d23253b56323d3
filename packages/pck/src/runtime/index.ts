/**
 * The run time of emitted PCK code that imports it (`emit(.., { runtime: "moonpack" })`): functions that write and read
 * each type of a schema, and the errors that they throw. For emitted code only: names and signatures change together
 * with the code that `emit` writes, in any version.
 *
 * @module
 */

export type { BytesInput } from "moonpack/bytes";
export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export * from "./functions.js";
export * from "./picks.js";
export type { Key, Take, Takes } from "./take.js";
