/** Collects parts of a stream into larger chunks. */

/** A chunk of this size is full. */
const CHUNK_BYTES = 65_536;

/**
 * Yields chunks of the parts that arrive within one turn of the event loop, up to 64 KiB. Reads one part ahead. Leaving early closes the
 * source.
 */
export async function* inBatches(
  parts: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    for (let pending = parts.next(); ; ) {
      const first = await pending;
      if (first.done) return;
      const batch = [first.value];
      let size = first.value.length;
      const endOfTurn = nextTurn();
      for (;;) {
        pending = parts.next();
        // The next round throws its error; until then it must not be an unhandled rejection.
        pending.catch(() => undefined);
        if (size >= CHUNK_BYTES) break;
        const next = await Promise.race([pending.catch(() => null), endOfTurn]);
        if (next === null || next.done) break;
        batch.push(next.value);
        size += next.value.length;
      }
      yield joined(batch, size);
    }
  } finally {
    parts.return().catch(() => undefined);
  }
}

/** Resolves with null in the next turn of the event loop. */
function nextTurn(): Promise<null> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve, null);
    else setTimeout(resolve, 0, null);
  });
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    chunk.set(part, offset);
    offset += part.length;
  }
  return chunk;
}
