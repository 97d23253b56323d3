import type { Codec, Operation, Payload, Player } from "../../types.js";
import type { StoredDocuments } from "./documents.js";

/** What a runtime has to compare with. */
export interface Judge {
  isEqual(one: unknown, other: unknown): boolean;
  /** Decodes a player's output, if possible with an implementation other than its own. */
  decode(player: Player, codec: Codec, payload: Payload): unknown;
}

/** Throws if the player returns another value for any document, of the first `most` of each kind. */
export function verify(
  player: Player,
  operation: Operation,
  stored: StoredDocuments,
  judge: Judge,
  most = Number.MAX_SAFE_INTEGER,
): void {
  const codec = player.create();
  for (const { group, first, count } of stored.kinds) {
    for (let document = first; document < first + Math.min(count, most); document++) {
      const value = stored.value(document);
      const result =
        operation === "decode"
          ? codec.decode!(stored.payload(document, player.format))
          : judge.decode(player, codec, codec.encode!(value));
      if (!judge.isEqual(result, value)) throw new Error(`${player.id} does not ${operation} one of ${group} exactly`);
    }
  }
}
