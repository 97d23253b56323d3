/** `#slabs` in browsers, edge workers and unknown runtimes, which have no means for it, and in Bun, which cuts no slabs. */

/** Does nothing: a transfer of one result empties the others in its slab. */
export function guardSlab(_slab: ArrayBuffer): void {}
