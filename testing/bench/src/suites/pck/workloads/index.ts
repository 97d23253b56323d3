import { hn } from "./hn.js";
import { mixed } from "./mixed.js";
import { numbers } from "./numbers.js";
import { player } from "./player.js";
import { strings } from "./strings.js";
import type { Workload } from "./workload.js";

/** Every kind of message, in the order of the tables. */
export const workloads: readonly Workload[] = [player, hn, mixed, ...numbers, ...strings];

/** The kind of message with that id. */
export function findWorkload(id: string): Workload {
  const found = workloads.find((workload) => workload.id === id);
  if (found === undefined) throw new RangeError(`no workload ${id}`);
  return found;
}
