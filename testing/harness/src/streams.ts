/** Shared by the tests of streams: messages, and functions that create and read streams. */
import { encode } from "moonpack";
import { concat } from "./hex.ts";

/** Returns the encoded items, concatenated. */
export const messages = (...items: unknown[]) => concat(...items.map((item) => encode(item)));

/** Values of several types. The long text spans parts. */
export const values = [null, 1, { a: [1, 2, "é"] }, new Uint8Array([1, 2]), "x".repeat(5000), []];
/** The messages of `values`. */
export const bytes = messages(...values);

/** Returns all values of a source. */
export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const value of source) got.push(value);
  return got;
}

/** Returns the values of a source up to its end or error, and the error. */
export async function taken(source: AsyncIterable<unknown>): Promise<{ values: unknown[]; error: unknown }> {
  const values: unknown[] = [];
  try {
    for await (const value of source) values.push(value);
  } catch (error) {
    return { values, error };
  }
  return { values, error: null };
}

/** Yields the items one by one. Awaits `wait` before each; by default that takes one microtask. */
export async function* later<T>(
  items: Iterable<T>,
  wait: () => Promise<unknown> = () => Promise.resolve(),
): AsyncGenerator<T> {
  for (const item of items) {
    await wait();
    yield item;
  }
}

/** Waits 2 ms, which is long enough for pending microtasks and stream callbacks. */
export const turn = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Yields the chunks and then hangs. Like an event iterator's, its `return` ends a waiting `next`; `onReturn` is called then. */
export function hangingAfter(chunks: readonly Uint8Array[], onReturn: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const inner = chunks.values();
      let end: (result: IteratorReturnResult<undefined>) => void = () => undefined;
      return {
        next() {
          const result = inner.next();
          if (result.done !== true) return Promise.resolve(result);
          return new Promise<IteratorResult<Uint8Array>>((resolve) => {
            end = resolve;
          });
        },
        async return() {
          onReturn();
          end({ done: true, value: undefined });
          return { done: true, value: undefined };
        },
      };
    },
  };
}
