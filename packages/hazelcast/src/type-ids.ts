/** Type ids: the number before each value from which a client finds its serializer. */
import { countOption, invalidArgument } from "moonpack/bytes";

/** The default type id of MessagePack values. */
export const MSGPACK_TYPE_ID = 28016;
/** The default type id of {@link Packed} values. */
export const PACKED_TYPE_ID = 28017;
/** Hazelcast's type id of JSON. */
export const JSON_TYPE_ID = -130;

const MAX_TYPE_ID = 2 ** 31 - 1;

/** Returns a type id for own serializers: 1 to 2^31 - 1. Throws `ERR_INVALID_ARGUMENT` otherwise. */
export function typeIdOption(name: string, value: unknown, fallback: number): number {
  return countOption(name, value, fallback, 1, MAX_TYPE_ID);
}

/** Returns the type id of a class. Throws `ERR_INVALID_ARGUMENT` if it is out of range or reserved for MessagePack. */
export function typeIdOfClass(value: unknown): number {
  if (value === undefined) throw invalidArgument("a stored class needs a type id");
  const typeId = typeIdOption("typeId", value, 0);
  if (typeId === MSGPACK_TYPE_ID || typeId === PACKED_TYPE_ID)
    throw invalidArgument(`type id ${typeId} is reserved for MessagePack`);
  return typeId;
}
