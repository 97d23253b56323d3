// The errors that runtimes throw when calls are nested too deep.

/** True for such an error. Firefox has a separate class for it. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion|stack space/i.test(error.message);
}
