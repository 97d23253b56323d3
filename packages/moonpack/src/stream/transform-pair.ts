import type { BytesInput } from "../bytes/input.js";
import { portable } from "./portable.js";

/** The readable side, as a transformer writes to it. */
export interface TransformOutput<O> {
  /** Queues a result for the reader. */
  enqueue(result: O): void;
  /** Resolves when the reader wants more or has left; null if it does already. */
  ready(): Promise<void> | null;
}

/** The transformation of a pair. */
export interface PairTransformer<I, O> {
  /** Transforms a chunk; may wait for the reader between two results. */
  write(input: I, output: TransformOutput<O>): Promise<void> | void;
  /** Called at the end of the input. */
  close(output: TransformOutput<O>): Promise<void> | void;
  /** Called when `write` or `close` has failed: enqueues the collected results from before the failure. */
  failed?(output: TransformOutput<O>): void;
  /** Called when no more results are needed: releases memory. */
  cancel(): void;
}

/** A writable and a readable side, as `pipeThrough` takes them. */
export interface TransformPair<I, O> {
  readonly writable: WritableStream<I>;
  readonly readable: ReadableStream<O>;
}

/**
 * Creates a transform stream that can pause within one chunk. A chunk may hold a hundred thousand values, and a TransformStream
 * would queue them all for a reader that takes one. An error of one side fails both; the reader receives it after the results
 * before it, which a TransformStream would drop from its queue.
 */
export function transformPair<I, O>(
  transformer: PairTransformer<I, O>,
  writableOf: (sink: UnderlyingSink<I>) => WritableStream<I>,
  highWaterMark: number,
): TransformPair<I, O> {
  let readableController!: ReadableStreamDefaultController<O>;
  let writableController!: WritableStreamDefaultController;
  /** True once the reader has received the end or an error, or has left. */
  let isOver = false;
  let resolveReady: (() => void) | null = null;
  const signalReady = () => {
    resolveReady?.();
    resolveReady = null;
  };
  const nextPull = () =>
    new Promise<void>((resolve) => {
      resolveReady = resolve;
    });
  const output: TransformOutput<O> = {
    enqueue: (result) => readableController.enqueue(result),
    ready: () => (isOver || readableController.desiredSize! > 0 ? null : nextPull()),
  };
  const abort = (reason: unknown) => {
    if (isOver) return;
    isOver = true;
    transformer.cancel();
    readableController.error(reason);
    signalReady();
  };
  const fail = async (error: unknown): Promise<never> => {
    if (!isOver) transformer.failed?.(output);
    while (!isOver && readableController.desiredSize! < highWaterMark) await nextPull();
    abort(error);
    throw error;
  };
  const readable = new ReadableStream<O>(
    withoutPrototype<UnderlyingDefaultSource<O>>({
      start(controller) {
        readableController = controller;
      },
      pull: signalReady,
      cancel(reason) {
        isOver = true;
        transformer.cancel();
        writableController.error(reason);
        signalReady();
      },
    }),
    withoutPrototype<QueuingStrategy<O>>({ highWaterMark }),
  );
  const writable = writableOf(
    withoutPrototype<UnderlyingSink<I>>({
      start(controller) {
        writableController = controller;
        // The sink's `abort` is called only after a pending write.
        controller.signal.addEventListener("abort", () => abort(controller.signal.reason), { once: true });
      },
      async write(chunk) {
        try {
          await transformer.write(chunk, output);
        } catch (error) {
          await fail(error);
        }
      },
      async close() {
        try {
          await transformer.close(output);
        } catch (error) {
          await fail(error);
        }
        if (isOver) return;
        isOver = true;
        readableController.close();
      },
      abort,
    }),
  );
  return { readable: portable(readable), writable };
}

/** Creates a pair that decodes chunks of bytes. It enqueues the results one by one, as the reader takes them. */
export function decodingPair<O>(
  decoder: { push(chunk: BytesInput): Iterable<O>; end(): void },
  highWaterMark: number,
): TransformPair<BytesInput, O> {
  /** Null once no more results are needed, so that the decoder's memory is released. */
  let open: typeof decoder | null = decoder;
  return transformPair<BytesInput, O>(
    {
      async write(chunk, output) {
        if (open === null) return;
        for (const value of open.push(chunk)) {
          output.enqueue(value);
          const ready = output.ready();
          if (ready !== null) await ready;
          if (open === null) return;
        }
      },
      close: () => open?.end(),
      cancel() {
        open = null;
      },
    },
    (sink) => new WritableStream(sink),
    highWaterMark,
  );
}

/** Copies members to an object without a prototype: streams look up further members, also on a polluted Object.prototype. */
export function withoutPrototype<T extends object>(members: T): T {
  return Object.assign(Object.create(null) as T, members);
}
