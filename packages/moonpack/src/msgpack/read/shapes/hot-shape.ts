/** A shape with a generated reader, and the functions that generated readers call. */
import type { MessageReader } from "../message.js";
import { emptyObject } from "../objects.js";
import type { PartReader } from "../parts/part-reader.js";
import { hashesOfKeys } from "./key-bytes.js";

/** The functions of the table of shapes that generated readers call. */
export interface ShapeFallback {
  /** Reads the rest of a map. The generated reader has read `values`; the next key is not the key that it expects. */
  fallBack(r: MessageReader, shape: HotShape, values: readonly unknown[], reserved: number): unknown;
  /** Keeps an object until the next part of the input. `values` are complete; the next value is not. */
  suspend(r: PartReader, shape: HotShape, values: unknown[], reserved: number): unknown;
}

/**
 * Reads one map of its shape, whose header has been read. `reserved`: see MessageReader. If the map has other keys,
 * `table.fallBack` reads the rest.
 */
export type ShapeReader = (reader: MessageReader, table: ShapeFallback, shape: HotShape, reserved: number) => unknown;

/** A shape with a generated reader. */
export class HotShape {
  readonly keys: readonly string[];
  /** For each key, the hash of the list of keys up to it; see `MessageReader.fill`. */
  readonly hashes: Int32Array;
  readonly slot: number;
  read: ShapeReader | null = null;
  /** Number of objects read. The generated code increments it. */
  hits = 0;
  /** Number of objects since the last review that turned out to have other keys. */
  misses = 0;
  /** True until the first review after the reader was generated. */
  isNew = true;
  /** `hits` at the last review. */
  reviewed = 0;
  /** Objects of this shape before the last review. Each review halves it, as it halves the counters. */
  earlier = 0;
  /**
   * An object of the shape, which keeps the hidden class alive. If a full garbage collection finds no object of a class, V8 drops
   * the optimised code that creates such objects (measured: half the speed from one collection to the next).
   */
  readonly kept: object;

  constructor(keys: readonly string[], slot: number) {
    this.keys = keys;
    this.hashes = hashesOfKeys(keys);
    this.slot = slot;
    const kept = emptyObject(keys.length);
    for (const key of keys) kept[key] = null;
    this.kept = kept;
  }
}
