/** How containers are written and read. */
import type { CodecOptions } from "../codec/settings.js";
import type { SchemaInput } from "../to-model.js";

/** Options of what writes and reads containers. */
export interface ContainerOptions extends CodecOptions {
  /** Bytes that one value may take; a larger one is `ERR_FRAME_TOO_LARGE`, before any of it is kept. Default 64 MiB. */
  readonly maxFrameBytes?: number;
}

/** Options of what reads containers. */
export interface ReadOptions<Out = unknown> extends ContainerOptions {
  /**
   * Whose values are wanted: the container's, of whatever schema they are, are read as this one's, as `resolve` does;
   * `ERR_SCHEMA` if they cannot be. Default: the container's own schema.
   */
  readonly reader?: SchemaInput<Out>;
}
