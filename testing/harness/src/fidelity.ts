/** The option `fidelity` for the preset js: "js" where it is built in, the preset object in browsers and workerd. */
import { Encoder, type EncoderOptions } from "moonpack";
import { js } from "moonpack/msgpack/features";

export const FIDELITY_JS: NonNullable<EncoderOptions["fidelity"]> = isBuiltIn() ? "js" : js;

function isBuiltIn(): boolean {
  try {
    return new Encoder({ fidelity: "js" }).encode(1).length === 1;
  } catch {
    return false;
  }
}
