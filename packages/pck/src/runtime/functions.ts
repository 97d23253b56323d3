/** Everything that emitted and generated code may call. */
export type { ElementBudget } from "moonpack/bytes";
export { type KeyFlood, keyFlood, putUvar32, recordOf, unzigzag32, zigzag32 } from "moonpack/bytes";
export * from "./fixed-width.js";
export * from "./message.js";
export * from "./older-schemas.js";
export * from "./read-lists.js";
export * from "./read-numbers.js";
export * from "./read-text.js";
export * from "./reader.js";
export * from "./shared-empty.js";
export * from "./short-list.js";
export * from "./short-message.js";
export * from "./value-kinds.js";
export * from "./write-lists.js";
export * from "./write-numbers.js";
export * from "./writer.js";
