import { Failure } from "../../bytes/failure.js";
/** `fidelity: "json"`: the values that JSON.stringify would write (ECMA-262, SerializeJSONProperty). */

/**
 * Returns the value that JSON.stringify would write: calls `toJSON`, unwraps boxed primitives, and returns undefined for a value
 * that JSON omits.
 */
export function toJsonValue(value: unknown, key: string | number): unknown {
  if ((typeof value === "object" && value !== null) || typeof value === "bigint" || typeof value === "function") {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function" && toJSON !== (Object.prototype as { toJSON?: unknown }).toJSON) {
      value = toJSON.call(value, String(key));
    }
  }
  if (value instanceof Number) value = Number(value);
  else if (value instanceof String) value = String(value);
  else if (value instanceof Boolean || value instanceof BigInt) value = value.valueOf();
  if (typeof value === "bigint") throw new Failure("ERR_UNSUPPORTED_TYPE", "JSON has no form for a bigint");
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null; // JSON has no -0 either
  return typeof value === "function" || typeof value === "symbol" ? undefined : value;
}

/** The elements of an array as JSON.stringify writes them: null for an element that JSON omits. */
export function jsonElements(array: readonly unknown[]): unknown[] {
  const elements: unknown[] = [];
  for (let i = 0; i < array.length; i++) {
    try {
      elements.push(toJsonValue(array[i], i) ?? null);
    } catch (error) {
      throw Failure.at(error, i, array);
    }
  }
  return elements;
}
