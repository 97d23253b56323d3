/** What the tests of streams share: messages, and ways to make and to empty streams. */
import { encode } from "moonpack";
import { concat } from "./hex.ts";

/** The messages of these values, one after the other. */
export const messages = (...items: unknown[]) => concat(...items.map((item) => encode(item)));

/** Values of several kinds; the long text spans parts. */
export const values = [null, 1, { a: [1, 2, "é"] }, new Uint8Array([1, 2]), "x".repeat(5000), []];
export const bytes = messages(...values);

/** All that a source gives. */
export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const value of source) got.push(value);
  return got;
}

/** Values until the end or an error. */
export async function taken(source: AsyncIterable<unknown>): Promise<{ values: unknown[]; error: unknown }> {
  const values: unknown[] = [];
  try {
    for await (const value of source) values.push(value);
  } catch (error) {
    return { values, error };
  }
  return { values, error: null };
}

/** The items one by one, each after a wait: a microtask unless `wait` says otherwise. */
export async function* later<T>(
  items: Iterable<T>,
  wait: () => Promise<unknown> = () => Promise.resolve(),
): AsyncGenerator<T> {
  for (const item of items) {
    await wait();
    yield item;
  }
}

/** Long enough for all that is bound to happen by itself. */
export const turn = () => new Promise((resolve) => setTimeout(resolve, 2));
