/** The reference model of PCK, 5: encoding. Values are valid: refusals.ts has the errors. */
import type { Layout } from "./layout.ts";
import { floatBytes, integerBytes, leb128 } from "./numbers.ts";
import { type DocumentField, type DocumentType, isInBits, isOptional, type Json, kindOf, shapeOf } from "./shape.ts";
import { fromBase64, utf8Of } from "./text.ts";

type JsonObject = { readonly [name: string]: Json };

/** Returns the bytes of a value of the layout's root. */
export function encodeReference(layout: Layout, value: Json): number[] {
  return structBytes(layout, layout.doc.root, value);
}

function structBytes(layout: Layout, struct: string, value: Json): number[] {
  const object = value as JsonObject;
  const memberOf = (field: DocumentField) => (Object.hasOwn(object, field.name) ? object[field.name]! : null);
  const optionals = layout.optionals(struct);
  const present = optionals.filter((field) => !meansAbsent(field, Object.hasOwn(object, field.name), memberOf(field)));
  return [
    ...bitBytes([
      ...optionals.map((field) => present.includes(field)),
      ...layout.bools(struct).map((field) => memberOf(field) === true),
    ]),
    ...[...layout.required(struct), ...present].flatMap((field) => typeBytes(layout, field.type, memberOf(field))),
  ];
}

/** True for values that make a field absent ("Optional fields"). */
export function meansAbsent(field: DocumentField, isThere: boolean, value: Json): boolean {
  if (!isOptional(field)) return false;
  if (!isThere) return true;
  const flags = field.omit!;
  if (value === null) return flags.includes("null");
  if (flags.includes("empty") && (value === "" || (Array.isArray(value) && value.length === 0))) return true;
  if (!flags.includes("zero")) return false;
  if (kindOf(field.type) === "f32") return typeof value === "number" && Object.is(Math.fround(value), 0);
  return value === "0" || Object.is(value, 0);
}

/** Returns bits in whole bytes, low bits first. */
export function bitBytes(bits: readonly boolean[]): number[] {
  const bytes = new Array<number>(Math.ceil(bits.length / 8)).fill(0);
  for (const [i, bit] of bits.entries()) if (bit) bytes[Math.floor(i / 8)]! += 2 ** (i % 8);
  return bytes;
}

/** Returns the bytes of a value; a bool is not a field here. */
export function typeBytes(layout: Layout, type: DocumentType, value: Json): number[] {
  const shape = shapeOf(type);
  switch (shape.is) {
    case "bool":
      return [value === true ? 1 : 0];
    case "fixed":
    case "varint":
      return integerBytes(shape, BigInt(value as number | string));
    case "float":
      return floatBytes(shape.bytes, Number(value));
    case "enumeration":
      return countBytes(shape.values.indexOf(value as string));
    case "bytes":
      return counted(shape.length, fromBase64(value as string));
    case "ascii":
      return counted(shape.length, utf8Of(value as string));
    case "utf8":
      return counted(undefined, utf8Of(value as string));
    case "ref":
      return structBytes(layout, shape.struct, value);
    case "union": {
      const name = (value as JsonObject)[shape.discriminator];
      const index = shape.arms.findIndex(([arm]) => arm === name);
      return [...countBytes(index), ...structBytes(layout, shape.arms[index]![1], value)];
    }
    case "array":
      return [
        ...(shape.length === undefined ? countBytes((value as readonly Json[]).length) : []),
        ...elementBytes(layout, shape.element, value as readonly Json[]),
      ];
    case "map":
      return mapBytes(layout, shape.key, shape.value, value as readonly (readonly [Json, Json])[]);
    case "nullable":
      return value === null ? [0] : [1, ...typeBytes(layout, shape.value, value)];
  }
}

function countBytes(count: number): number[] {
  return leb128(BigInt(count));
}

function counted(length: number | undefined, bytes: readonly number[]): number[] {
  return [...(length === undefined ? countBytes(bytes.length) : []), ...bytes];
}

function elementBytes(layout: Layout, element: DocumentType, list: readonly Json[]): number[] {
  if (!isInBits(element)) return list.flatMap((item) => typeBytes(layout, element, item));
  const shape = shapeOf(element);
  if (shape.is !== "nullable") return bitBytes(list.map((item) => item === true));
  return [
    ...bitBytes(list.map((item) => item !== null)),
    ...list.filter((item) => item !== null).flatMap((item) => typeBytes(layout, shape.value, item)),
  ];
}

function mapBytes(
  layout: Layout,
  key: DocumentType,
  value: DocumentType,
  pairs: readonly (readonly [Json, Json])[],
): number[] {
  const sorted = [...pairs].sort((a, b) => compareKeys(key, a[0], b[0]));
  return [
    ...countBytes(pairs.length),
    ...sorted.flatMap((pair) => [...typeBytes(layout, key, pair[0]), ...typeBytes(layout, value, pair[1])]),
  ];
}

/** Compares keys: integers by value, enumerations by index, strings by their bytes. */
export function compareKeys(type: DocumentType, a: Json, b: Json): number {
  const shape = shapeOf(type);
  if (shape.is === "fixed" || shape.is === "varint") {
    const [x, y] = [BigInt(a as number | string), BigInt(b as number | string)];
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (shape.is === "enumeration") return shape.values.indexOf(a as string) - shape.values.indexOf(b as string);
  return compareBytes(utf8Of(a as string), utf8Of(b as string));
}

function compareBytes(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
