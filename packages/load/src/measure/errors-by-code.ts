import { recordOf } from "moonpack/bytes";
import type { ErrorCounts } from "../result.js";

/** The code of timed-out operations. */
export const TIMEOUT_CODE = "ERR_TIMEOUT";
/** The code of operations that were due, but never started, because the round was too far behind its schedule. */
export const NOT_STARTED_CODE = "ERR_NOT_STARTED";

/** The code of operations that an interrupted round abandoned. */
export const UNFINISHED_CODE = "ERR_UNFINISHED";

/** Maximum number of codes that are counted separately: each operation could have a different one. */
const MAX_CODES = 100;
const OTHER = "other";

/** Counts errors by `code` if it is a string or a number, otherwise by name, otherwise as `unknown`. */
export class ErrorsByCode {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(error: unknown): void {
    this.addCode(codeOf(error));
  }

  addCode(code: string, times = 1): void {
    const key = this.#counts.has(code) || this.#counts.size < MAX_CODES ? code : OTHER;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
    this.total += times;
  }

  /** The counts, the most frequent first. */
  get counts(): ErrorCounts {
    return recordOf([...this.#counts].sort(([, a], [, b]) => b - a));
  }
}

/** Returns the code under which an error is counted. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  try {
    const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
    if ((typeof code === "string" && code !== "") || typeof code === "number") return String(code);
    return typeof name === "string" && name !== "" ? name : "unknown";
  } catch {
    return "unknown"; // a getter of the target's error may throw
  }
}
