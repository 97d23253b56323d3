/** Bytes that JavaScript holds: objects, and the memory of ArrayBuffers outside the heap. */
export function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects all garbage. Several passes, since the first may only queue objects that finalizers then release. */
export async function collectAll(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
