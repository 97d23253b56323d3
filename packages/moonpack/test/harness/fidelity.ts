/** `fidelity: "js"` as this runtime takes it: by its name where the preset is built in, itself in browsers and on the edge. */
import { Encoder, type EncoderOptions } from "moonpack";
import { js } from "moonpack/fidelity";

export const FIDELITY_JS: NonNullable<EncoderOptions["fidelity"]> = isBuiltIn() ? "js" : js;

function isBuiltIn(): boolean {
  try {
    return new Encoder({ fidelity: "js" }).encode(1).length === 1;
  } catch {
    return false;
  }
}
