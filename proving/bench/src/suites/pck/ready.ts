import type { Codec, Player } from "./players/player.js";
import type { Workload } from "./workloads/workload.js";

/** A player with its codec and its messages. */
export interface Ready {
  readonly player: Player;
  readonly codec: Codec;
  readonly values: readonly object[];
  /** The values in the form that the library takes. */
  readonly messages: readonly object[];
}

/** Prepares the players that can write this workload. */
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
