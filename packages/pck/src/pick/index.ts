/**
 * Reads only some fields of PCK messages.
 *
 * @module
 */
export type { Path } from "./paths.js";
export { type Picker, type PickInput, type PickOptions, pick } from "./pick.js";
export type { Paths, PathValue, Picked, Split, ValueAt } from "./types.js";
