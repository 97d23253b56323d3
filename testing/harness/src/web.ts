/** Returns a ReadableStream of the chunks, by `ReadableStream.from`, which TypeScript does not declare yet. */
export function streamOf<T>(chunks: Iterable<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
