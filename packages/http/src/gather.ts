/** Collects a body. */

/** The first allocation. Memory doubles, so that many small parts take no more than a large one. */
const FIRST_BYTES = 4096;

/**
 * Collects the parts of a body into one array, with memory of up to twice the body's size. Returns null as soon as there are more than
 * `maxBytes`. Bytes that are only announced allocate nothing.
 */
export async function gather(
  parts: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let memory = new Uint8Array(0);
  let length = 0;
  for await (const part of parts) {
    const end = length + part.length;
    if (end > maxBytes) return null;
    if (end > memory.length) {
      const larger = new Uint8Array(Math.max(end, Math.min(maxBytes, Math.max(FIRST_BYTES, length * 2))));
      larger.set(memory.subarray(0, length));
      memory = larger;
    }
    memory.set(part, length);
    length = end;
  }
  return memory.subarray(0, length);
}
