import type { Operation } from "../../../types.js";
import type { Workload } from "../workloads/workload.js";

/**
 * A library prepared for one kind of message. Both functions belong to one candidate, so that each is a separate call
 * site.
 */
export interface Codec {
  readonly encode: (message: object) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => object;
  /** Converts the values to a message of the library, if it has its own kind. */
  readonly prepare?: (value: object) => object;
}

/** A library in one of its modes. */
export interface Candidate {
  readonly id: string;
  readonly title: string;
  readonly ours?: boolean;
  /** Only this direction differs from another candidate. */
  readonly only?: Operation;
  /** Undefined if the library cannot write the values exactly. `emitted`: the module emitted for the workload. */
  create(workload: Workload, emitted: Codec | undefined): Codec | undefined;
}
