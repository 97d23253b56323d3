/** Converts results to JSON data and back. */
import { invalidArgument } from "moonpack/bytes";
import type { Comparison, LoadResult } from "../result.js";
import { isRatios, isResult } from "./result-shape.js";

/**
 * Returns a result as plain data for JSON. Throws `ERR_INVALID_ARGUMENT` for other data.
 *
 * @example
 * writeFileSync("result.json", JSON.stringify(toJson(result)));
 */
export function toJson(result: LoadResult | Comparison): object {
  return structuredClone(checkedResult(result));
}

/**
 * Returns the result from data of {@link toJson}. Throws `ERR_INVALID_ARGUMENT` for other data, and for results of a newer version.
 *
 * @example
 * const before = fromJson(JSON.parse(readFileSync("result.json", "utf8")));
 */
export function fromJson(data: unknown): LoadResult | Comparison {
  return structuredClone(checkedResult(data));
}

/** Returns a result. Throws `ERR_INVALID_ARGUMENT` for other data. */
export function checkedResult(data: unknown): LoadResult | Comparison {
  const result = data as Partial<LoadResult & Comparison> | null;
  if (typeof result !== "object" || result === null || !Object.hasOwn(result, "format"))
    throw invalidArgument("not a result of moonpack load: it has no format");
  if (result.format !== 1)
    throw invalidArgument(
      `unknown format ${String(result.format)} of a result of moonpack load: the newest known format is 1`,
    );
  if (!(isComparison(result as object) ? isWholeComparison(result) : isResult(result)))
    throw invalidArgument("a damaged result of moonpack load");
  return result as LoadResult | Comparison;
}

/** True for the result of `compare`. */
export function isComparison(result: object): result is Comparison {
  return Object.hasOwn(result, "targets");
}

function isWholeComparison({ targets, ratios }: Partial<Comparison>): boolean {
  return Array.isArray(targets) && targets.length > 0 && targets.every(isResult) && isRatios(ratios);
}
