/** What a codec writes and reads with: closures, or generated functions. */
import type { PackReader } from "../../bytes/pack-reader.js";
import type { PackWriter } from "../../bytes/pack-writer.js";
import type { Model } from "../model/model.js";
import { DecoderCompiler } from "./read.js";
import type { CodecSettings } from "./settings.js";
import { EncoderCompiler } from "./write.js";

/** Writes and reads the structs of one schema. */
export interface Engine {
  /** Writes a message at `pos`. What it refuses it refuses by `refuse`, with the path by `within`. */
  readonly write: (w: PackWriter, value: never) => void;
  /** Reads a message that begins at `pos`; does not look at what comes after it. */
  readonly read: (r: PackReader) => unknown;
}

/** Makes engines by code generation; null where that is forbidden. */
export type EngineGenerator = (model: Model, settings: CodecSettings) => Engine | null;

/** The engine of closures. */
export function closures(model: Model, settings: CodecSettings): Engine {
  const put = new EncoderCompiler(settings).put({ kind: "ref", struct: model.root });
  const get = new DecoderCompiler(settings).get({ kind: "ref", struct: model.root });
  return { write: (w, value) => put(w, value, 0), read: (r) => get(r, 0) };
}
