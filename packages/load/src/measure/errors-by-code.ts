import { recordOf } from "moonpack/bytes";
import type { ErrorCounts } from "../result.js";

/** The code of operations that took too long. */
export const TIMEOUT_CODE = "ERR_TIMEOUT";
/** The code of operations that were due, but never started: a round that is hopelessly behind its schedule ends. */
export const NOT_STARTED_CODE = "ERR_NOT_STARTED";

/** The code of operations that had not ended when an interrupted round no longer waited for them. */
export const UNFINISHED_CODE = "ERR_UNFINISHED";

/** Different codes that are counted apart. An error may have a code of its own for each operation. */
const MOST_CODES = 100;
const OTHER = "other";

/** Counts errors by code: `code` if it is a text or number, else the error's name, else `unknown`. */
export class ErrorsByCode {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(error: unknown): void {
    this.addCode(codeOf(error));
  }

  addCode(code: string, times = 1): void {
    const key = this.#counts.has(code) || this.#counts.size < MOST_CODES ? code : OTHER;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
    this.total += times;
  }

  /** The counts, the most frequent first. */
  get counts(): ErrorCounts {
    return recordOf([...this.#counts].sort(([, a], [, b]) => b - a));
  }
}

/** What an error is counted as. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  try {
    const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
    if ((typeof code === "string" && code !== "") || typeof code === "number") return String(code);
    return typeof name === "string" && name !== "" ? name : "unknown";
  } catch {
    return "unknown"; // a getter of the target's may throw
  }
}
