/** `#slabs` in Node and Deno. */
import { markAsUntransferable } from "node:worker_threads";

/**
 * Makes the runtime refuse to transfer a slab to another thread (Node 20 sends a copy), as Node does with the pool of its Buffers: a
 * transfer would empty all other results in the slab. It takes 0.3 us for each slab.
 */
export function guardSlab(slab: ArrayBuffer): void {
  markAsUntransferable(slab);
}
