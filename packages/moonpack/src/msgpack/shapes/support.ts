import type { MessageReader } from "../read.js";

/** Reads the maps of one decoder; see table.ts. */
export interface ShapeReading {
  /** Objects read by a generated reader. */
  hits: number;
  /** Objects that a generated reader gave up on half-way. */
  misses: number;
  /** Readers generated. */
  compiled: number;
  /**
   * Reads a map of `n` keys, n > 0, whose header is read; `owed` is what the enclosing containers owe.
   *
   * @internal
   */
  readMap(reader: MessageReader, n: number, owed: number): unknown;
  /**
   * Notes a map whose keys were found one by one, on the stacks from `base` on; answers whether objects of its shape exist.
   *
   * @internal
   */
  sight(slot: number, reader: MessageReader, base: number, n: number): boolean;
}

/** Makes one: `generate` says whether it may generate code. An import of its own, so that browsers carry it only if asked. */
export type ShapeSupport = (generate: boolean) => ShapeReading;
