import type { Operation } from "../../../types.js";
import type { Workload } from "../workloads/workload.js";

/** A library that is set up for one kind of message. Both functions are the player's own: a call site for each. */
export interface Codec {
  readonly encode: (message: object) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => object;
  /** The library's own message of these values, where it has such. */
  readonly prepare?: (value: object) => object;
}

/** A library in one of its ways. */
export interface Player {
  readonly id: string;
  readonly title: string;
  readonly ours?: boolean;
  /** Only this direction differs from another player's. */
  readonly only?: Operation;
  /** undefined for what the library cannot write exactly. `emitted`: the module that was emitted for it. */
  create(workload: Workload, emitted: Codec | undefined): Codec | undefined;
}
