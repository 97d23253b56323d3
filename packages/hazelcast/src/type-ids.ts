/** Type ids: the number in front of a value by which a client finds its serializer. */
import { countOption, invalidArgument } from "moonpack/bytes";

/** The default type id of values in MessagePack. */
export const MSGPACK_TYPE_ID = 28016;
/** The default type id of {@link Packed} values. */
export const PACKED_TYPE_ID = 28017;
/** The type id that Hazelcast itself gives to JSON. */
export const JSON_TYPE_ID = -130;

const MAX_TYPE_ID = 2 ** 31 - 1;

/** A type id of our own: 1 to 2^31 - 1. */
export function typeIdOption(name: string, value: unknown, fallback: number): number {
  return countOption(name, value, fallback, 1, MAX_TYPE_ID);
}

/** The type id of a class. `ERR_INVALID_ARGUMENT` for one that is out of range or stands for MessagePack. */
export function typeIdOfClass(value: unknown): number {
  if (value === undefined) throw invalidArgument("a stored class needs a type id");
  const typeId = typeIdOption("typeId", value, 0);
  if (typeId === MSGPACK_TYPE_ID || typeId === PACKED_TYPE_ID)
    throw invalidArgument(`type id ${typeId} stands for MessagePack`);
  return typeId;
}
