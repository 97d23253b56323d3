import { isDeepStrictEqual } from "node:util";
import { decodeIndependently } from "../../../race/formats.js";
import type { Operation } from "../../../types.js";
import { candidateOf } from "../candidates.js";
import { readDocuments } from "../stored.js";
import { verify } from "../verify.js";

/** Whether a candidate reproduces the documents. Its process ends afterwards, so that measured code stays cold. */
export interface CheckJob {
  readonly kind: "check";
  readonly folder: string;
  readonly operation: Operation;
  readonly candidate: string;
  /** Documents of each kind. */
  readonly most: number;
}

/** Throws if the candidate returns another value for any document. */
export function check({ folder, operation, candidate: id, most }: CheckJob, candidate = candidateOf(id)): true {
  const judge = { isEqual: isDeepStrictEqual, decode: decodeIndependently };
  verify({ ...candidate, id }, operation, readDocuments(folder), judge, most);
  return true;
}
