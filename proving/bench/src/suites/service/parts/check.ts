import { progress } from "../../../progress.js";
import { players } from "../players.js";
import { canDo, type PartRun, runJob } from "./part.js";

const QUICK_DOCUMENTS = 3;

/** Compares what every player reads and writes with the documents, before anything is timed. Throws if a value differs. */
export async function checkPlayers({ folder, quick, operations }: PartRun): Promise<void> {
  for (const operation of operations) {
    for (const player of players) {
      if (!canDo(player, operation)) continue;
      progress(`service: is what ${player.id} ${operation}s equal?`);
      const most = quick ? QUICK_DOCUMENTS : Number.MAX_SAFE_INTEGER;
      await runJob({ kind: "check", folder, operation, player: player.id, most });
    }
  }
}
