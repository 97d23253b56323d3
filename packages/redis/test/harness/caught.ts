/** Errors of promises. */

/** Returns the error of a rejected promise. Throws if it resolves. */
export async function caught<E>(promise: Promise<unknown>): Promise<E> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error as E;
  }
  throw new Error(`resolved with ${String(value)}`);
}
