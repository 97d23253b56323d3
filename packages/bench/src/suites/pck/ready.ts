import type { Operation } from "../../types.js";
import { playersOf } from "./players/index.js";
import type { Codec, Player } from "./players/player.js";
import type { Workload } from "./workloads/workload.js";

/** A player with its codec and its messages. */
export interface Ready {
  readonly player: Player;
  readonly codec: Codec;
  readonly values: readonly object[];
  /** The values as the library wants them. */
  readonly messages: readonly object[];
}

/** Sets everybody up who can write this. */
export function ready(
  workload: Workload,
  operation: Operation,
  values: readonly object[],
  emitted: Codec | undefined,
): Ready[] {
  return playersOf(operation).flatMap((player) => {
    const codec = player.create(workload, emitted);
    if (codec === undefined) return [];
    const { prepare } = codec;
    return [{ player, codec, values, messages: prepare === undefined ? values : values.map(prepare) }];
  });
}
