import type { Candidate, Codec, Operation, Payload } from "../../types.js";
import type { StoredDocuments } from "./documents.js";

/** The documents of a runtime to compare with. */
export interface Judge {
  isEqual(one: unknown, other: unknown): boolean;
  /** Decodes a candidate's output, if possible with an implementation other than its own. */
  decode(candidate: Candidate, codec: Codec, payload: Payload): unknown;
}

/** Throws if the candidate returns another value for any document, of the first `most` of each kind. */
export function verify(
  candidate: Candidate,
  operation: Operation,
  stored: StoredDocuments,
  judge: Judge,
  most = Number.MAX_SAFE_INTEGER,
): void {
  const codec = candidate.create();
  for (const { group, first, count } of stored.kinds) {
    for (let document = first; document < first + Math.min(count, most); document++) {
      const value = stored.value(document);
      const result =
        operation === "decode"
          ? codec.decode!(stored.payload(document, candidate.format))
          : judge.decode(candidate, codec, codec.encode!(value));
      if (!judge.isEqual(result, value))
        throw new Error(`${candidate.id} does not ${operation} one of ${group} exactly`);
    }
  }
}
