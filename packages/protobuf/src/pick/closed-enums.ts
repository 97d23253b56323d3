/** Closed enums: protobuf.js 8 takes their unknown values as unknown fields. protobuf.js 7 knows open enums only. */
import { ownOption, putUvar32, uvar32Size } from "moonpack/bytes";
import type { ReflectedType } from "./types.js";

/** The values of a closed enum. */
export type ClosedEnum = ReadonlySet<number>;

/** What is used of a field of an enum. */
interface EnumField {
  readonly id: number;
  readonly name: string;
  readonly map: boolean;
}

/**
 * The values of an enum; null if it is open. The schema and the version of the library decide: `type`, which has the field, decodes a
 * message with an unknown value.
 */
export function closedEnum({ id, name, map }: EnumField, valuesById: object, type: ReflectedType): ClosedEnum | null {
  const values = new Set(Object.keys(valuesById).map(Number));
  let unknown = 0;
  while (values.has(unknown)) unknown++;
  const bytes = new Uint8Array(16);
  let end = putUvar32(bytes, 0, ((id << 3) | (map ? 2 : 0)) >>> 0);
  if (map) {
    bytes[end++] = 1 + uvar32Size(unknown);
    bytes[end++] = 2 << 3;
  }
  end = putUvar32(bytes, end, unknown);
  const message = decoded(type, bytes.subarray(0, end));
  if (message === undefined) return null;
  const value = ownOption(message, name);
  return value === unknown || Object.values(value ?? {}).includes(unknown) ? null : values;
}

/** The message, also without its required fields; undefined if the type cannot decode. */
function decoded(type: ReflectedType, bytes: Uint8Array): object | undefined {
  try {
    return type.decode(bytes);
  } catch (error) {
    return ownOption(error as object, "instance") as object | undefined;
  }
}
