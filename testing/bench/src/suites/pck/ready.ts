import type { Candidate, Codec } from "./candidates/candidate.js";
import type { Workload } from "./workloads/workload.js";

/** A candidate with its codec and its messages. */
export interface Ready {
  readonly candidate: Candidate;
  readonly codec: Codec;
  readonly values: readonly object[];
  /** The values in the form that the library takes. */
  readonly messages: readonly object[];
}

/** Prepares the candidates that can write this workload. */
export function ready(
  candidates: readonly Candidate[],
  workload: Workload,
  values: readonly object[],
  emitted: Codec | undefined,
): Ready[] {
  return candidates.flatMap((candidate) => {
    const codec = candidate.create(workload, emitted);
    if (codec === undefined) return [];
    const { prepare } = codec;
    return [{ candidate, codec, values, messages: prepare === undefined ? values : values.map(prepare) }];
  });
}
