import { defaultShapes } from "#shapes";
import { Level } from "../msgpack/deep.js";
import { type DecoderOptions, decoderSettings } from "../msgpack/options.js";
import { MessageReader } from "../msgpack/read.js";

// Made at its first use: importing the package allocates nothing.
let shared: MessageReader | undefined;
/**
 * One of each kind that comes and goes with a message: when a full collection finds no object of a class, V8 drops the
 * optimised code that works on such objects (measured: the next 1.6 MB in parts of 1 KB took 100 ms instead of 12).
 */
let kept: readonly Level[] = [];

/** A reader for messages in parts. All that have no options share one, with what it knows of keys and shapes. */
export function readerFor(options: DecoderOptions | undefined): MessageReader {
  if (options === undefined && shared !== undefined) return shared;
  const reader = new MessageReader(decoderSettings(options, defaultShapes), true);
  if (options === undefined) shared = reader;
  if (kept.length === 0) kept = [new Level(null, [], 1, 0), new Level([], [], 2, 0)];
  return reader;
}
