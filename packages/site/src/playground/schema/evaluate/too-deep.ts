// What runtimes throw when calls are nested too deep.

/** True for that error. Firefox has a class of its own for it. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion|stack space/i.test(error.message);
}
