import type { DecodeError } from "moonpack/bytes";
import type { FailedCall, FieldReader } from "./fields.js";

/** Returns the error that a protobuf.js throws where a Reader of ours has failed; see {@link FieldReader.failure}. */
export type ErrorTranslator = (reader: FieldReader, error: DecodeError, call: FailedCall, argument: unknown) => Error;

/** The translators of attached libraries, by their Reader classes, oldest first. */
const translators = /* @__PURE__ */ new Map<object, ErrorTranslator>();

/** The translator of the library that is attached first, null without one. */
export const attachedErrors: { translate: ErrorTranslator | null } = { translate: null };

/** Makes our Readers throw a library's errors, unless another library was attached before. */
export function attachErrors(owner: object, translate: ErrorTranslator): void {
  translators.set(owner, translate);
  [attachedErrors.translate = null] = translators.values();
}

/** Undoes {@link attachErrors}. */
export function detachErrors(owner: object): void {
  translators.delete(owner);
  [attachedErrors.translate = null] = translators.values();
}
