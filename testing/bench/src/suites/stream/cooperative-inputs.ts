import { encode } from "@msgpack/msgpack";
import { workloads } from "../../workloads/index.js";
import { times } from "../../workloads/random.js";

const BYTES = 16_000_000;

/** A large message, named after the workload that it repeats. */
export interface CooperativeInput {
  readonly id: string;
  readonly title: string;
}

/** Objects with text, with unique keys, and numbers. */
export const cooperativeInputs: readonly CooperativeInput[] = [
  { id: "hn", title: "Hacker News stories" },
  { id: "dictionary", title: "dictionaries" },
  { id: "numeric", title: "numeric records" },
];

/** An array of 16 MB, and its bytes. */
export function cooperativeMessage(id: string): { readonly value: unknown; readonly bytes: Uint8Array } {
  const [document] = workloads.find((workload) => workload.id === id)!.values(false);
  const items = Array.isArray(document) ? (document as unknown[]) : [document];
  const repeats = Math.ceil(BYTES / encode(document).length);
  const value = times(repeats, () => items).flat();
  return { value, bytes: encode(value) };
}
