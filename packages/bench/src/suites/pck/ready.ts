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

/** Sets up whoever of them can write this. */
export function ready(
  players: readonly Player[],
  workload: Workload,
  values: readonly object[],
  emitted: Codec | undefined,
): Ready[] {
  return players.flatMap((player) => {
    const codec = player.create(workload, emitted);
    if (codec === undefined) return [];
    const { prepare } = codec;
    return [{ player, codec, values, messages: prepare === undefined ? values : values.map(prepare) }];
  });
}
