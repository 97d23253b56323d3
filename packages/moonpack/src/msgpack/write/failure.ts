import { Failure } from "../../bytes/failure.js";

/** The text for an array whose length is not a uint32. Only a Proxy can report such a length. */
export const NO_LENGTH = "an array's length is not a uint32";

/** Thrown by a writer that writes in slices, at the end of a slice; pause.ts describes it. */
export const PAUSE: unique symbol = /* @__PURE__ */ Symbol("pause");

/** The failure for a value that MessagePack cannot represent. */
export function unsupported(what: string, hint = ""): Failure {
  return new Failure("ERR_UNSUPPORTED_TYPE", `${what} has no MessagePack form${hint}`);
}

/** The failure for a detached view or buffer. */
export function detached(cause: unknown): Failure {
  return new Failure("ERR_UNSUPPORTED_TYPE", "a detached buffer has no bytes", cause);
}
