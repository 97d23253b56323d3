/**
 * Reads, forwards and changes parts of MessagePack messages without decoding the rest.
 *
 * @module
 */
export { type Change, type Changes, type EditOptions, edit } from "./edit.js";
export type { ItemType } from "./item.js";
export { each, type Path, type PathStep } from "./paths.js";
export { Picker, type PickOptions, pick } from "./picker.js";
export { Raw } from "./raw.js";
export { skip } from "./skip-at.js";
export type { Every, Member, Paths, PathValue, Picked, RawAt, RawNames, Unescaped, ValueAt } from "./types.js";
export { View, view } from "./view.js";
