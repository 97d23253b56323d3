/** The engine that runs everywhere: closures, one for each type. */

import type { Model } from "../model/model.js";
import type { CodecSettings, Engine } from "../settings.js";
import { DecoderCompiler } from "./read.js";
import { EncoderCompiler } from "./write.js";

/** Returns an engine of closures. */
export function closures(model: Model, settings: CodecSettings): Engine {
  const put = new EncoderCompiler(settings).put({ kind: "ref", struct: model.root });
  const get = new DecoderCompiler(settings).get({ kind: "ref", struct: model.root });
  return { write: (w, value) => put(w, value, 0), read: (r) => get(r, 0) };
}
