/** Transfers of memory to another thread. */

/**
 * Transfers the memory of some bytes away. Returns false where the runtime did not: Node and Deno keep the slabs that encoders cut
 * results from (Node 20 sends a copy, later lines throw). Then the bytes must be as before.
 */
export function transferAway(bytes: Uint8Array): boolean {
  const before = bytes.length;
  try {
    structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
  } catch {
    // Deno throws a TypeError, Node a DataCloneError.
  }
  if (bytes.length !== 0 && bytes.length !== before) throw new Error("the memory moved in part");
  return bytes.length === 0;
}
