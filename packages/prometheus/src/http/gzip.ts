/** Answers packed by gzip, for clients that accept it. */

/** Smaller answers are not packed. */
const MIN_BYTES = 1024;

/** True if a client accepts gzip, by its header `Accept-Encoding`. */
export function acceptsGzip(header: string | null | undefined): boolean {
  let any: boolean | undefined;
  for (const range of (header ?? "").toLowerCase().split(",")) {
    const [name, ...parameters] = range.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const isAccepted = q === undefined || Number(q.slice(2)) > 0;
    if (name === "gzip" || name === "x-gzip") return isAccepted;
    if (name === "*") any = isAccepted;
  }
  return any ?? false;
}

/** True if a body is worth packing. */
export function isWorthPacking(body: Uint8Array | AsyncIterable<Uint8Array>): boolean {
  return !(body instanceof Uint8Array) || body.length >= MIN_BYTES;
}

/** Yields the packed chunks of a body, at the reader's pace. */
export function packed(
  body: Uint8Array | AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> {
  const chunks = body instanceof Uint8Array ? [body] : body;
  const stream = streamOf(chunks).pipeThrough(
    new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>,
  );
  return stream as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;
}

/** Returns a stream that takes the next chunk when its reader wants one. */
export function streamOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator =
    Symbol.asyncIterator in chunks
      ? chunks[Symbol.asyncIterator]()
      : (chunks as Iterable<Uint8Array>)[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
