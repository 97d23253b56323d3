import { isDeepStrictEqual } from "node:util";
import { decodeIndependently } from "../../../race/formats.js";
import type { Operation } from "../../../types.js";
import { playerOf } from "../players.js";
import { readDocuments } from "../stored.js";
import { verify } from "../verify.js";

/** Whether a player reproduces the documents. Its process ends afterwards, so that measured code stays cold. */
export interface CheckJob {
  readonly kind: "check";
  readonly folder: string;
  readonly operation: Operation;
  readonly player: string;
  /** Documents of each kind. */
  readonly most: number;
}

/** Throws if the player returns another value for any document. */
export function check({ folder, operation, player: id, most }: CheckJob, player = playerOf(id)): true {
  const judge = { isEqual: isDeepStrictEqual, decode: decodeIndependently };
  verify({ ...player, id }, operation, readDocuments(folder), judge, most);
  return true;
}
