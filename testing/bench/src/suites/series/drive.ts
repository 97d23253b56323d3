import { load } from "@moonpack/load";

/** No call of a benchmark is given up. */
const TIMEOUT_MS = 3_600_000;

/**
 * Calls `call` with 0 to count - 1, at most `limit` at a time, by the load runner. Returns the milliseconds from the first call to the
 * end of the last. Throws the first error.
 */
export async function drive(limit: number, count: number, call: (index: number) => Promise<unknown>): Promise<number> {
  let failure: { readonly error: unknown } | undefined;
  const { rounds } = await load(
    async (index) => {
      try {
        await call(index);
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
    { concurrency: limit, operations: count, rounds: 1, warmup: 0, timeout: TIMEOUT_MS },
  );
  if (failure !== undefined) throw failure.error;
  return rounds[0]!.seconds * 1000;
}
