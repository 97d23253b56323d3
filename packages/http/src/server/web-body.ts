/** The body of a Request. */

/** The most bytes of an unread body that are discarded during the answer. After them the body is cancelled. */
export const MAX_DISCARDED_BYTES = 16 << 20;

/**
 * Yields the parts of a body by a reader: not every engine can iterate a stream. If it is left early, the rest is read and discarded:
 * cancelling would close the connection before the answer, and a client may read the answer only after it has sent its body.
 */
export async function* partsOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  if (stream === null) return;
  const reader = stream.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if ((isOver = done)) return;
      yield value!;
    }
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    if (isOver) reader.releaseLock();
    else void discard(reader).catch(() => undefined);
  }
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let left = MAX_DISCARDED_BYTES; left >= 0; ) {
    const { done, value } = await reader.read();
    if (done) return;
    left -= value.length;
  }
  await reader.cancel();
}
