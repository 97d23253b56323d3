/** A ReadableStream of these chunks: `ReadableStream.from`, which TypeScript does not know yet. */
export function streamOf<T>(chunks: Iterable<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
