import type { MoonpackError } from "../bytes/errors.js";

/** Where the results of a conduit go. */
export interface Outlet<O> {
  /** Hands a result to the reader. */
  give(result: O): void;
  /** Resolves when the reader wants more: at once, or when it has taken what is waiting. */
  room(): Promise<void> | null;
}

/** What becomes of what is written. */
export interface Inlet<I, O> {
  write(input: I, out: Outlet<O>): Promise<void> | void;
  /** Nothing more will be written. */
  close(out: Outlet<O>): Promise<void> | void;
  /** Nothing more is wanted, or the other side has failed: lets go of what it holds. */
  stop(): void;
}

/** A writable and a readable side, as `pipeThrough` takes them. */
export interface Conduit<I, O> {
  readonly writable: WritableStream<I>;
  readonly readable: ReadableStream<O>;
}

/**
 * A TransformStream that can stop in the middle of one chunk: a chunk may be a hundred thousand values, and a reader
 * that takes one must not have them all waiting. An error on one side is the error of both.
 */
export function conduit<I, O>(
  inlet: Inlet<I, O>,
  writableOf: (sink: UnderlyingSink<I>) => WritableStream<I>,
  highWaterMark: number,
): Conduit<I, O> {
  let output!: ReadableStreamDefaultController<O>;
  let input!: WritableStreamDefaultController;
  let wanted: (() => void) | null = null;
  const want = () => {
    wanted?.();
    wanted = null;
  };
  const out: Outlet<O> = {
    give: (result) => output.enqueue(result),
    room() {
      if ((output.desiredSize ?? 1) > 0) return null;
      return new Promise((resolve) => {
        wanted = resolve;
      });
    },
  };
  const readable = new ReadableStream<O>(
    {
      start(controller) {
        output = controller;
      },
      pull: want,
      cancel(reason) {
        inlet.stop();
        input.error(reason);
        want();
      },
    },
    { highWaterMark },
  );
  const fail = (error: MoonpackError): never => {
    inlet.stop();
    output.error(error);
    throw error;
  };
  const writable = writableOf({
    start(controller) {
      input = controller;
    },
    async write(chunk) {
      try {
        await inlet.write(chunk, out);
      } catch (error) {
        fail(error as MoonpackError);
      }
    },
    async close() {
      try {
        await inlet.close(out);
      } catch (error) {
        fail(error as MoonpackError);
      }
      if (input.signal.aborted) return;
      output.close();
    },
    abort(reason) {
      inlet.stop();
      output.error(reason);
      want();
    },
  });
  return { readable, writable };
}
