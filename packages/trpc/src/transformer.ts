/** Values within JSON: for clients and procedures that do not use the link. */
import { ownOptions } from "moonpack/bytes";
import { codecOf, type MsgpackOptions } from "./codec.js";

/** What tRPC calls a data transformer. */
export interface MsgpackTransformer {
  /** Returns the value as MessagePack in base64. Throws an `EncodeError` with a path. */
  serialize(value: unknown): string | undefined;
  /** The value. Throws a `DecodeError`. */
  deserialize(text: unknown): unknown;
}

/**
 * A transformer for `initTRPC.create`: values keep their types on every way that tRPC has, also by `httpBatchLink`, subscriptions and `wsLink`.
 * There they are base64 in JSON, a third longer than their bytes; with `moonpackLink` they are bytes.
 *
 * @example
 * const t = initTRPC.create({ transformer: msgpackTransformer() });
 */
export function msgpackTransformer(options?: MsgpackOptions): MsgpackTransformer {
  const codec = codecOf(ownOptions(options));
  return {
    // Undefined is absent in JSON, as tRPC expects of a call without an input.
    serialize: (value) => (value === undefined ? undefined : codec.toText(value)),
    deserialize: (text) => (text === undefined ? undefined : codec.ofText(text)),
  };
}
