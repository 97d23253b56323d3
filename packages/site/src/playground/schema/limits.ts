// Limits that the page and its worker share.

/** The longest text of a schema, in characters. */
export const MOST_CHARACTERS = 200_000;
/** The number of characters of generated code that are shown. The saved file has all. */
export const MOST_SHOWN = 200_000;
/** Longer texts make clipboards slow. */
export const MOST_COPIED: number = 16 * 1024 * 1024;
