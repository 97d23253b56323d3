/** Expressions for numbers of fixed width and their bytes. */
import type { Node } from "../../model/model.js";
import type { GoContext } from "./context.js";
import { widthOf } from "./types.js";

/** Returns the statement that stores the number `x` at `b[at]`. */
export function storeCode(context: GoContext, type: Node, b: string, at: number | string, x: string): string {
  const width = widthOf(type);
  if (width === 1) return `${b}[${at}] = ${byteCode(type, x)}`;
  const put = context.use("encoding/binary", `LittleEndian.PutUint${8 * width}`);
  return `${put}(${b}[${at}:], ${bitsCode(context, type, x)})`;
}

/** Returns the expression of a one-byte number's byte. */
export function byteCode(type: Node, x: string): string {
  return type.kind === "i8" ? `byte(${x})` : x;
}

/** Returns the expression of a wider number's bits. */
export function bitsCode(context: GoContext, type: Node, x: string): string {
  if (type.kind === "f32" || type.kind === "f64") return `${context.runtime(`${type.kind.toUpperCase()}Bits`)}(${x})`;
  return type.kind.startsWith("i") ? `uint${8 * widthOf(type)}(${x})` : x;
}

/** Returns the expression of the fixed-width number whose bytes are `b`. */
export function numberCode(context: GoContext, type: Node, b: string): string {
  const width = widthOf(type);
  if (width === 1) return type.kind === "i8" ? `int8(${b})` : b;
  if (type.kind === "f32" || type.kind === "f64") return `${context.runtime(type.kind.toUpperCase())}(${b})`;
  const bits = `${context.use("encoding/binary", `LittleEndian.Uint${8 * width}`)}(${b})`;
  return type.kind.startsWith("i") ? `int${8 * width}(${bits})` : bits;
}
