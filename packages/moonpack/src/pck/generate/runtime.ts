/** What generated code may use: the functions under PCK's codecs. */
export * from "../../bytes/pack-message.js";
export * from "../../bytes/pack-message-short.js";
export * from "../../bytes/pack-older.js";
export * from "../../bytes/pack-read-at.js";
export * from "../../bytes/pack-read-few.js";
export * from "../../bytes/pack-read-lists.js";
export * from "../../bytes/pack-read-numbers.js";
export * from "../../bytes/pack-read-text.js";
export * from "../../bytes/pack-reader.js";
export * from "../../bytes/pack-values.js";
export * from "../../bytes/pack-write-lists.js";
export * from "../../bytes/pack-write-numbers.js";
export * from "../../bytes/pack-writer.js";
export { putUvar32 } from "../../bytes/varint.js";
export { unzigzag32, zigzag32 } from "../../bytes/zigzag.js";
