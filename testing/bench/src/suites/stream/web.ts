/** A Web stream that delivers the results of `next`, one for each requested chunk, until undefined. */
export function pullStream<T>(next: () => T | undefined): ReadableStream<T> {
  return new ReadableStream<T>({
    pull(controller) {
      const item = next();
      if (item === undefined) controller.close();
      else controller.enqueue(item);
    },
  });
}

/** Reads a Web stream to its end. */
export async function readAll<T>(stream: ReadableStream<T>, take: (item: T) => void): Promise<void> {
  const reader = stream.getReader();
  for (let result = await reader.read(); !result.done; result = await reader.read()) take(result.value);
}
