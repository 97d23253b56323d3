/** Options of containers. */
import { type FrameOptions, frameSettings, refuseUnknown } from "moonpack/bytes";
import type { SchemaInput } from "../document/to-model.js";
import { type CodecOptions, codecOptionNames } from "../settings.js";

/** Options for writing and reading containers. */
export interface ContainerOptions extends CodecOptions {
  /**
   * Limit of the bytes of one value. A larger one is `ERR_FRAME_TOO_LARGE`, before any of it is kept. Default 64 MiB.
   */
  readonly maxFrameBytes?: number;
}

/** Options for reading containers. */
export interface ReadOptions<Out = unknown> extends ContainerOptions {
  /**
   * The schema of the values to return: values of the container's own schema are converted, as by `resolve`.
   * Throws `ERR_SCHEMA` for schemas that do not fit. Default: the container's own schema.
   */
  readonly reader?: SchemaInput<Out>;
}

/** Throws `ERR_INVALID_ARGUMENT` for an option that is not one of a codec, `maxFrameBytes` or `others`. */
export function refuseUnknownOptions(options: object, ...others: readonly string[]): void {
  refuseUnknown(options, [...codecOptionNames(), "maxFrameBytes", ...others]);
}

/** Checks the limit of a value's bytes; undefined becomes the default. Throws `ERR_INVALID_ARGUMENT` for an invalid one. */
export function frameLimit(maxFrameBytes: unknown): number {
  return frameSettings({ maxFrameBytes } as FrameOptions).maxFrameBytes;
}
