/**
 * Streams like a polyfill's. They follow the Streams Standard, but are not instances of the global classes and
 * have no async iterator. As in older polyfills, releasing a lock while a read is pending throws.
 */

interface Source<T> {
  /** Returns the next chunk, or undefined at the end. */
  pull(): T | undefined | Promise<T | undefined>;
  cancel?(reason: unknown): unknown;
}

type Result<T> = { done: false; value: T } | { done: true; value: undefined };

interface Pending<T> {
  resolve(result: Result<T>): void;
  reject(error: unknown): void;
}

type Ended = { readonly error?: unknown };

export class PolyfillReadableStream<T> {
  readonly #source: Source<T>;
  #locked = false;
  /** Null while the stream is open. Has an `error` if the stream failed. */
  #ended: Ended | null = null;
  #pending: Pending<T>[] = [];
  #isPulling = false;

  constructor(source: Source<T>) {
    this.#source = source;
  }

  get locked(): boolean {
    return this.#locked;
  }

  getReader(options?: { mode?: string }) {
    if (this.#locked) throw new TypeError("the stream is locked");
    if (options?.mode !== undefined) throw new TypeError("not a byte stream");
    this.#locked = true;
    let isReleased = false;
    const check = () => {
      if (isReleased) throw new TypeError("the reader was released");
    };
    return {
      read: async (): Promise<Result<T>> => {
        check();
        return this.#read();
      },
      cancel: async (reason?: unknown): Promise<void> => {
        check();
        await this.#cancel(reason);
      },
      releaseLock: (): void => {
        if (isReleased) return;
        if (this.#pending.length > 0) throw new TypeError("a read is pending");
        isReleased = true;
        this.#locked = false;
      },
    };
  }

  async pipeTo(destination: WritableLike<T>): Promise<void> {
    const reader = this.getReader();
    const writer = destination.getWriter();
    try {
      for (;;) {
        await writer.ready;
        const { done, value } = await reader.read();
        if (done) break;
        await writer.write(value);
      }
      await writer.close();
    } catch (error) {
      await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
      throw error;
    } finally {
      reader.releaseLock();
      writer.releaseLock();
    }
  }

  pipeThrough<R>(pair: { readonly readable: R; readonly writable: WritableLike<T> }): R {
    this.pipeTo(pair.writable).catch(() => undefined);
    return pair.readable;
  }

  #read(): Promise<Result<T>> {
    const ended = this.#ended;
    if (ended !== null) {
      return "error" in ended ? Promise.reject(ended.error) : Promise.resolve({ done: true, value: undefined });
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      void this.#pull();
    });
  }

  async #pull(): Promise<void> {
    if (this.#isPulling) return;
    this.#isPulling = true;
    try {
      while (this.#pending.length > 0) {
        const value = await this.#source.pull();
        if (this.#ended !== null) return;
        if (value === undefined) this.#end({});
        else this.#pending.shift()!.resolve({ done: false, value });
      }
    } catch (error) {
      this.#end({ error });
    } finally {
      this.#isPulling = false;
    }
  }

  async #cancel(reason: unknown): Promise<void> {
    const ended = this.#ended;
    if (ended !== null) {
      if ("error" in ended) throw ended.error;
      return;
    }
    this.#end({});
    await this.#source.cancel?.(reason);
  }

  #end(ended: Ended): void {
    if (this.#ended !== null) return;
    this.#ended = ended;
    for (const { resolve, reject } of this.#pending.splice(0)) {
      if ("error" in ended) reject(ended.error);
      else resolve({ done: true, value: undefined });
    }
  }
}

/** Any stream with `getWriter()`. */
export interface WritableLike<T> {
  getWriter(): {
    readonly ready: Promise<unknown>;
    write(chunk: T): Promise<unknown>;
    close(): Promise<unknown>;
    abort(reason?: unknown): Promise<unknown>;
    releaseLock(): void;
  };
}

interface Sink<T> {
  write(chunk: T): unknown;
  close?(): unknown;
  abort?(reason: unknown): unknown;
}

export class PolyfillWritableStream<T> implements WritableLike<T> {
  readonly #sink: Sink<T>;
  #locked = false;
  #ended: Ended | null = null;
  /** Resolves after the last queued write, whether it succeeded or not. */
  #last: Promise<unknown> = Promise.resolve();
  #closed: PromiseWithResolvers<void> = newPromise();

  constructor(sink: Sink<T>) {
    this.#sink = sink;
    this.#closed.promise.catch(() => undefined);
  }

  get locked(): boolean {
    return this.#locked;
  }

  /** Puts the stream into the errored state, as its sink would. */
  fail(error: unknown): void {
    if (this.#ended !== null) return;
    this.#ended = { error };
    this.#closed.reject(error);
  }

  getWriter() {
    if (this.#locked) throw new TypeError("the stream is locked");
    this.#locked = true;
    const stream = this;
    return {
      get ready(): Promise<unknown> {
        return stream.#last;
      },
      get closed(): Promise<void> {
        return stream.#closed.promise;
      },
      write: (chunk: T): Promise<unknown> => this.#queue(() => this.#sink.write(chunk)),
      close: async (): Promise<void> => {
        await this.#queue(() => this.#sink.close?.());
        this.#ended = {};
        this.#closed.resolve();
      },
      abort: async (reason?: unknown): Promise<void> => {
        if (this.#ended !== null) return;
        this.fail(reason);
        await this.#sink.abort?.(reason);
      },
      releaseLock: (): void => {
        this.#locked = false;
      },
    };
  }

  async #queue(act: () => unknown): Promise<void> {
    const call = this.#last.then(() => {
      if (this.#ended === null) return act();
      throw "error" in this.#ended ? this.#ended.error : new TypeError("the stream is closed");
    });
    this.#last = call.catch((error: unknown) => this.fail(error));
    await call;
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function newPromise(): PromiseWithResolvers<void> {
  let settle!: Omit<PromiseWithResolvers<void>, "promise">;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

/** Returns a PolyfillReadableStream of the chunks. */
export function polyfillOf<T>(chunks: Iterable<T>): PolyfillReadableStream<T> {
  const iterator = chunks[Symbol.iterator]();
  return new PolyfillReadableStream<T>({ pull: () => iterator.next().value as T | undefined });
}

/** Runs `act` while ReadableStream has no async iterator, as in Safari. */
export async function withoutAsyncIterator(act: () => unknown): Promise<void> {
  const { prototype } = ReadableStream;
  const iterator = Object.getOwnPropertyDescriptor(prototype, Symbol.asyncIterator);
  const values = Object.getOwnPropertyDescriptor(prototype, "values");
  Reflect.deleteProperty(prototype, Symbol.asyncIterator);
  Reflect.deleteProperty(prototype, "values");
  try {
    if (Symbol.asyncIterator in prototype) throw new Error("the async iterator cannot be removed");
    await act();
  } finally {
    if (values !== undefined) Object.defineProperty(prototype, "values", values);
    if (iterator !== undefined) Object.defineProperty(prototype, Symbol.asyncIterator, iterator);
  }
}
