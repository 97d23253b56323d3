/** `#slabs` in Node and Deno. */

/** Loaded with the first slab: to load node:worker_threads takes 2 ms, and a process that only decodes has no slab. */
let mark: ((slab: object) => void) | undefined;

/**
 * Makes the runtime refuse to transfer a slab to another thread (Node 20 sends a copy), as Node does with the pool of its Buffers: a
 * transfer would empty all other results in the slab. It takes 0.3 us for each slab.
 */
export function guardSlab(slab: ArrayBuffer): void {
  mark ??= process.getBuiltinModule("node:worker_threads").markAsUntransferable;
  mark(slab);
}
