// Limits that the page and its worker share.

/** The longest text of a schema, in characters. */
export const MAX_CHARACTERS = 200_000;
/** The number of characters of generated code that are shown. The saved file has all. */
export const MAX_SHOWN = 200_000;
/** Longer texts make clipboards slow. */
export const MAX_COPIED: number = 16 * 1024 * 1024;
