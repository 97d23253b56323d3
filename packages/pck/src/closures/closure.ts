/** The types of closures, and what compilers of closures offer to each other: interfaces, so that no files import in a circle. */
import type { Node } from "../model/model.js";
import type { PackReader } from "../runtime/reader.js";
import type { PackWriter } from "../runtime/writer.js";

/** Reads a value of one type within a struct or container at `depth`. */
export type Get = (r: PackReader, depth: number) => unknown;

/** Writes a value of one type within a struct or container at `depth`. */
export type Put = (w: PackWriter, value: never, depth: number) => void;

/** Readers of values that contain no structs. */
export interface ValueDecoders {
  /** Returns the decoder of a type. */
  get(node: Node): Get;
  /** Returns the decoder of a map's keys: 64-bit integers are always bigints. */
  key(node: Node): Get;
}

/** Writers of values that contain no structs. */
export interface ValueEncoders {
  /** Returns the encoder of a type. */
  put(node: Node): (w: PackWriter, value: unknown, depth: number) => void;
}
