/** Values within JSON, for clients and procedures without the link. */
import { ownOptions, refuseUnknown } from "moonpack/bytes";
import { codecOf, MSGPACK_NAMES, type MsgpackOptions } from "./codec.js";

/** A data transformer of tRPC. */
export interface MsgpackTransformer {
  /** Returns the value as MessagePack in base64. Throws an `EncodeError` with a path. */
  serialize(value: unknown): string | undefined;
  /** Returns the value of such a text. Throws a `DecodeError`. */
  deserialize(text: unknown): unknown;
}

/**
 * Returns a transformer for `initTRPC.create`: values keep their types with every link of tRPC, also `httpBatchLink`, subscriptions and
 * `wsLink`. There they are base64 in JSON, a third longer than their bytes; with `moonpackLink` they are bytes. Throws
 * `ERR_INVALID_ARGUMENT` for an invalid or unknown option.
 *
 * @example
 * const t = initTRPC.create({ transformer: msgpackTransformer() });
 */
export function msgpackTransformer(options?: MsgpackOptions): MsgpackTransformer {
  const given: MsgpackOptions = ownOptions(options);
  refuseUnknown(given, MSGPACK_NAMES);
  const codec = codecOf(given);
  return {
    // Undefined is absent in JSON, as tRPC expects for a call without an input.
    serialize: (value) => (value === undefined ? undefined : codec.toText(value)),
    deserialize: (text) => (text === undefined ? undefined : codec.ofText(text)),
  };
}
