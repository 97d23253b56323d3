import { duckdb } from "./duckdb.js";
import { moonpack } from "./moonpack.js";
import { naive } from "./naive.js";
import type { Peer } from "./peer.js";
import { sqlite } from "./sqlite.js";

/** Our store and those it is compared with. */
export const peers: readonly Peer[] = [moonpack, naive, sqlite, duckdb];

/** The peer of that id. */
export function findPeer(id: string): Peer {
  const found = peers.find((peer) => peer.id === id);
  if (found === undefined) throw new RangeError(`no peer ${id}`);
  return found;
}
