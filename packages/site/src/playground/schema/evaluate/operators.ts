// Operators of constants: arithmetic of numbers, and text that is put together.
import type { BinaryExpression, UnaryExpression } from "acorn";
import { SourceError, unsupported } from "./source-error.ts";

type Arithmetic = (left: number, right: number) => number;

const ARITHMETIC: ReadonlyMap<string, Arithmetic> = new Map<string, Arithmetic>([
  ["+", (left, right) => left + right],
  ["-", (left, right) => left - right],
  ["*", (left, right) => left * right],
  ["/", (left, right) => left / right],
  ["%", (left, right) => left % right],
  ["**", (left, right) => left ** right],
]);

/** The value of `-x` and `+x`. */
export function unary(node: UnaryExpression, value: unknown): number | bigint {
  if (node.operator === "-" && (typeof value === "number" || typeof value === "bigint")) return -value;
  if (node.operator === "+" && typeof value === "number") return value;
  throw unsupported(`the operator ${node.operator} of such a value`, node);
}

/** The value of an operator between two values: numbers, or texts with `+`. */
export function binary(node: BinaryExpression, left: unknown, right: unknown): number | string {
  const { operator } = node;
  if (typeof left === "number" && typeof right === "number") {
    const compute = ARITHMETIC.get(operator);
    if (compute !== undefined) return compute(left, right);
  } else if (operator === "+" && typeof left === "string" && isPrintable(right)) return left + String(right);
  else if (operator === "+" && typeof right === "string" && isPrintable(left)) return String(left) + right;
  throw unsupported(`the operator ${operator} of such values`, node);
}

/** The text of a value in a template. */
export function printed(value: unknown, node: { readonly start: number; readonly end: number }): string {
  if (isPrintable(value)) return String(value);
  throw new SourceError("Only text, numbers and booleans can stand in a template.", node);
}

function isPrintable(value: unknown): value is string | number | bigint | boolean {
  return typeof value !== "object" && typeof value !== "function" && value !== undefined && typeof value !== "symbol";
}
