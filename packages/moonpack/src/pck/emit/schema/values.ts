/** Default values as source text. */
import { isIdentifier, quoted } from "../../generate/code.js";
import { call, type Expression, list, object } from "./expression.js";

/** Returns the expression of a value as `decode` returns it. */
export function valueText(value: unknown): Expression {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Uint8Array) return call("Uint8Array.of", ...Array.from(value, String));
  if (Array.isArray(value)) return list(value.map(valueText));
  if (value instanceof Map) {
    return call("new Map", list(Array.from(value, ([key, item]) => list([valueText(key), valueText(item)]))));
  }
  return object(Object.entries(value).map(([name, item]) => [keyText(name), valueText(item)]));
}

/** The key of an entry in an object literal, with its colon. */
export function keyText(name: string): string {
  // A computed __proto__ is a property like any other.
  if (name === "__proto__") return '["__proto__"]: ';
  return `${isIdentifier(name) ? name : quoted(name)}: `;
}
