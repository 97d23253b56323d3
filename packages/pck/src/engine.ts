/** Engines: the functions that a codec encodes and decodes with. They are closures, or generated code. */

import { DecoderCompiler } from "./closures/read.js";
import { EncoderCompiler } from "./closures/write.js";
import type { Model } from "./model/model.js";
import type { PackReader } from "./runtime/reader.js";
import type { PackWriter } from "./runtime/writer.js";
import type { CodecSettings } from "./settings.js";

/** Writes and reads the root struct of one schema. */
export interface Engine {
  /** Writes a message at `w.pos`. Throws errors of `refuse`, with paths from `within`. */
  readonly write: (w: PackWriter, value: never) => void;
  /** Reads a message at `r.pos`, whose root struct has been counted. The caller checks that the message ends there. */
  readonly read: (r: PackReader) => unknown;
}

/** Generates code for codecs. The one implementation is `codeGeneration` of `@moonpack/pck/codegen`. */
export interface EngineGenerator {
  /** @internal Returns null where code generation is forbidden, and for very large schemas. */
  (model: Model, settings: CodecSettings): Engine | null;
  /** For TypeScript only; never set. */
  readonly "~generates"?: "pck";
}

/** Returns an engine of closures. */
export function closures(model: Model, settings: CodecSettings): Engine {
  const put = new EncoderCompiler(settings).put({ kind: "ref", struct: model.root });
  const get = new DecoderCompiler(settings).get({ kind: "ref", struct: model.root });
  return { write: (w, value) => put(w, value, 0), read: (r) => get(r, 0) };
}
