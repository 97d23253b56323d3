/** Errors of promises. */

/** The error with which a promise is rejected. Throws if it is not. */
export async function caught<E>(promise: Promise<unknown>): Promise<E> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error as E;
  }
  throw new Error(`resolved with ${String(value)}`);
}
