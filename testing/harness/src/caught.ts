import { MoonpackError } from "moonpack/bytes";

/** Returns what `act` throws. Throws if `act` throws nothing. */
export function caught(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("expected an error, nothing was thrown");
}

/** Returns the reason that `act` rejects with. Rejects if `act` does not. */
export async function caughtAsync(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("expected an error, nothing was thrown");
}

/** Returns the MoonpackError that `act` throws. Any other error fails the test. */
export function caughtOurs(act: () => unknown): MoonpackError {
  const error = caught(act);
  if (error instanceof MoonpackError) return error;
  throw new Error(`expected a MoonpackError, got ${error instanceof Error ? error.stack : String(error)}`);
}

/** Returns the fields of the error of `act` that callers may rely on: code, offset, needMore, path. */
export function fault(act: () => unknown): Record<string, unknown> {
  const error = caughtOurs(act) as MoonpackError & { offset?: number; needMore?: number; path?: string };
  const { code, offset, needMore, path } = error;
  return { code, ...(offset === undefined ? {} : { offset, needMore }), ...(path === undefined ? {} : { path }) };
}
