/** Numbers of fixed width and their bytes, in Go. */
import type { Node } from "../../model/model.js";
import type { Shared } from "./shared.js";
import { widthOf } from "./types.js";

/** Stores the number `x` at `b[at]`. */
export function storeCode(shared: Shared, type: Node, b: string, at: number | string, x: string): string {
  const width = widthOf(type);
  if (width === 1) return `${b}[${at}] = ${byteCode(type, x)}`;
  const put = shared.use("encoding/binary", `LittleEndian.PutUint${8 * width}`);
  return `${put}(${b}[${at}:], ${bitsCode(shared, type, x)})`;
}

/** The byte of a number of one byte. */
export function byteCode(type: Node, x: string): string {
  return type.kind === "i8" ? `byte(${x})` : x;
}

/** The bits of a wider number. */
export function bitsCode(shared: Shared, type: Node, x: string): string {
  if (type.kind === "f32" || type.kind === "f64") return `${shared.run(`${type.kind.toUpperCase()}Bits`)}(${x})`;
  return type.kind.startsWith("i") ? `uint${8 * widthOf(type)}(${x})` : x;
}

/** The number of fixed width whose byte, or bytes, are `b`. */
export function numberCode(shared: Shared, type: Node, b: string): string {
  const width = widthOf(type);
  if (width === 1) return type.kind === "i8" ? `int8(${b})` : b;
  if (type.kind === "f32" || type.kind === "f64") return `${shared.run(type.kind.toUpperCase())}(${b})`;
  const bits = `${shared.use("encoding/binary", `LittleEndian.Uint${8 * width}`)}(${b})`;
  return type.kind.startsWith("i") ? `int${8 * width}(${bits})` : bits;
}
