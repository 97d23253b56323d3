import { MoonpackError } from "moonpack/bytes";

/** What `act` throws; fails when it throws nothing. */
export function caught(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("expected an error, nothing was thrown");
}

/** What `act` rejects with; fails when it does not. */
export async function caughtAsync(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("expected an error, nothing was thrown");
}

/** What `act` throws, which must be one of ours. */
export function caughtOurs(act: () => unknown): MoonpackError {
  const error = caught(act);
  if (error instanceof MoonpackError) return error;
  throw new Error(`expected a MoonpackError, got ${error instanceof Error ? error.stack : String(error)}`);
}

/** Code, offset, needMore, path of what `act` throws: what callers may rely on. */
export function fault(act: () => unknown): Record<string, unknown> {
  const error = caughtOurs(act) as MoonpackError & { offset?: number; needMore?: number; path?: string };
  const { code, offset, needMore, path } = error;
  return { code, ...(offset === undefined ? {} : { offset, needMore }), ...(path === undefined ? {} : { path }) };
}
