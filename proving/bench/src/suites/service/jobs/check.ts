import { isDeepStrictEqual } from "node:util";
import { decodeIndependently } from "../../../race/formats.js";
import type { Operation } from "../../../types.js";
import { StoredDocuments } from "../documents.js";
import { playerOf } from "../players.js";

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
  const stored = new StoredDocuments(folder);
  const codec = player.create();
  for (const { group, first, count } of stored.kinds) {
    for (let document = first; document < first + Math.min(count, most); document++) {
      const value = stored.value(document);
      const result =
        operation === "decode"
          ? codec.decode!(stored.payload(document, player.format))
          : decodeIndependently(player, codec, codec.encode!(value));
      if (!isDeepStrictEqual(result, value)) throw new Error(`${id} does not ${operation} one of ${group} exactly`);
    }
  }
  return true;
}
