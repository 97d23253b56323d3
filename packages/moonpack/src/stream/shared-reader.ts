import { defaultShapes } from "#runtime";
import { type DecoderOptions, decoderSettings } from "../msgpack/options.js";
import { PartFrame } from "../msgpack/read/parts/part-frame.js";
import { PartReader } from "../msgpack/read/parts/part-reader.js";

// Created at its first use: importing the package allocates nothing.
let shared: PartReader | undefined;
/**
 * One frame of an array and one of a map, kept alive. Other frames live only during a message. When a full garbage collection finds
 * no object of a class, V8 drops the optimised code for it (measured: the next 1.6 MB in parts of 1 KB took 100 ms instead of 12).
 */
let kept: readonly PartFrame[] = [];

/** Returns a reader for messages in parts. Decoders without options share one, with its keys and shapes. */
export function readerFor(options: DecoderOptions | undefined): PartReader {
  if (options === undefined && shared !== undefined) return shared;
  const reader = new PartReader(decoderSettings(options, defaultShapes));
  if (options === undefined) shared = reader;
  if (kept.length === 0) kept = [new PartFrame(null, [], 1, 0), new PartFrame([], [], 2, 0)];
  return reader;
}
