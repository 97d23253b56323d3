/** The JavaScript types of decoded maps and lists: objects or Maps, typed arrays or arrays. */
import { isNumberKind, isWide, type MapNode, type Node } from "../model/model.js";
import type { TypedArrayClass } from "../runtime/read-lists.js";
import type { CodecSettings } from "../settings.js";

/** True for numbers: a list of them may be written from a typed array. */
export function isNumber(element: Node): boolean {
  return isNumberKind(element.kind);
}

/** True for maps that are decoded as objects. */
export function isObjectMap(type: MapNode, settings: Pick<CodecSettings, "maps">): boolean {
  const { kind } = type.key;
  return settings.maps === "object" && (kind === "utf8" || kind === "ascii" || kind === "enumeration");
}

/** Returns the typed-array class that lists of this element are decoded as; undefined for arrays. */
export function typedArrayOf(
  element: Node,
  settings: Pick<CodecSettings, "typedArrays" | "int64">,
): AnyTypedArrayClass | undefined {
  // No class holds 64-bit integers as numbers.
  if (!settings.typedArrays || (settings.int64 === "number" && isWide(element.kind))) return undefined;
  return TYPED_ARRAYS.get(element.kind);
}

/** A class of typed arrays, whatever its elements are. */
export interface AnyTypedArrayClass extends TypedArrayClass<{ readonly length: number }> {
  readonly name: string;
  from(list: readonly unknown[]): { readonly length: number };
}

const TYPED_ARRAYS: ReadonlyMap<string, AnyTypedArrayClass> = /* @__PURE__ */ new Map<string, AnyTypedArrayClass>([
  ["u8", Uint8Array],
  ["u16", Uint16Array],
  ["u32", Uint32Array],
  ["i8", Int8Array],
  ["i16", Int16Array],
  ["i32", Int32Array],
  ["f32", Float32Array],
  ["f64", Float64Array],
  ["u64", BigUint64Array as unknown as AnyTypedArrayClass],
  ["i64", BigInt64Array as unknown as AnyTypedArrayClass],
]);
