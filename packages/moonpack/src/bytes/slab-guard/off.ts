/** `#slabs` in browsers, edge workers and unknown runtimes, which cannot guard slabs, and in Bun, which does not use them. */

/** Does nothing: a transfer of one result empties the others in its slab. */
export function guardSlab(_slab: ArrayBuffer): void {}
