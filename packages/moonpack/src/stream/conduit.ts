import type { BytesInput } from "../bytes/input.js";

/** Where the results of a conduit go. */
export interface Outlet<O> {
  /** Hands a result to the reader. */
  give(result: O): void;
  /** Resolves when the reader wants more, or nothing any more; null when it does already. */
  room(): Promise<void> | null;
}

/** What becomes of what is written. */
export interface Inlet<I, O> {
  write(input: I, out: Outlet<O>): Promise<void> | void;
  /** Nothing more will be written. */
  close(out: Outlet<O>): Promise<void> | void;
  /** The write, or the end, has failed: gives what came before it and is still held back. */
  failed?(out: Outlet<O>): void;
  /** Nothing more is wanted: lets go of what it holds. */
  stop(): void;
}

/** A writable and a readable side, as `pipeThrough` takes them. */
export interface Conduit<I, O> {
  readonly writable: WritableStream<I>;
  readonly readable: ReadableStream<O>;
}

/**
 * A TransformStream that can stop in the middle of one chunk: a chunk may be a hundred thousand values, and a reader
 * that takes one must not have them all waiting. An error on one side is the error of both; the reader gets it after the
 * results before it, where a TransformStream would drop those that are queued.
 */
export function conduit<I, O>(
  inlet: Inlet<I, O>,
  writableOf: (sink: UnderlyingSink<I>) => WritableStream<I>,
  highWaterMark: number,
): Conduit<I, O> {
  let output!: ReadableStreamDefaultController<O>;
  let input!: WritableStreamDefaultController;
  /** The reader has got the end or an error, or has left. */
  let isOver = false;
  let waiting: (() => void) | null = null;
  const go = () => {
    waiting?.();
    waiting = null;
  };
  const pulled = () =>
    new Promise<void>((resolve) => {
      waiting = resolve;
    });
  const out: Outlet<O> = {
    give: (result) => output.enqueue(result),
    room: () => (isOver || output.desiredSize! > 0 ? null : pulled()),
  };
  /** The writer has aborted. */
  const stop = (reason: unknown) => {
    if (isOver) return;
    isOver = true;
    inlet.stop();
    output.error(reason);
    go();
  };
  const fail = async (error: unknown): Promise<never> => {
    if (!isOver) inlet.failed?.(out);
    while (!isOver && output.desiredSize! < highWaterMark) await pulled();
    stop(error);
    throw error;
  };
  const readable = new ReadableStream<O>(
    bare<UnderlyingDefaultSource<O>>({
      start(controller) {
        output = controller;
      },
      pull: go,
      cancel(reason) {
        isOver = true;
        inlet.stop();
        input.error(reason);
        go();
      },
    }),
    bare<QueuingStrategy<O>>({ highWaterMark }),
  );
  const writable = writableOf(
    bare<UnderlyingSink<I>>({
      start(controller) {
        input = controller;
        // Before `abort`, which waits for a write that is under way.
        controller.signal.addEventListener("abort", () => stop(controller.signal.reason), { once: true });
      },
      async write(chunk) {
        try {
          await inlet.write(chunk, out);
        } catch (error) {
          await fail(error);
        }
      },
      async close() {
        try {
          await inlet.close(out);
        } catch (error) {
          await fail(error);
        }
        if (isOver) return;
        isOver = true;
        output.close();
      },
      abort: stop,
    }),
  );
  return { readable, writable };
}

/** A conduit from chunks of bytes to what a decoder makes of them: one result after the other, as the reader takes them. */
export function decodingConduit<O>(
  decoder: { push(chunk: BytesInput): Iterable<O>; end(): void },
  highWaterMark: number,
): Conduit<BytesInput, O> {
  let isStopped = false;
  return conduit<BytesInput, O>(
    {
      async write(chunk, out) {
        for (const value of decoder.push(chunk)) {
          if (isStopped) return;
          out.give(value);
          const room = out.room();
          if (room !== null) await room;
        }
      },
      close: () => decoder.end(),
      stop() {
        isStopped = true;
      },
    },
    (sink) => new WritableStream(sink),
    highWaterMark,
  );
}

/** These members and no others: streams ask for more, and must not find what somebody put on Object.prototype. */
export function bare<T extends object>(members: T): T {
  return Object.assign(Object.create(null) as T, members);
}
