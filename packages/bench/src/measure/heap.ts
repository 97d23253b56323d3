/** Bytes that JavaScript holds: objects, and memory of ArrayBuffers outside the heap. */
export function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects all garbage: the first pass may only queue what finalizers then release. */
export async function collectAll(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
