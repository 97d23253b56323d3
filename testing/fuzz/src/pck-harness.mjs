// The reference model of PCK and the comparison of engines.
import { loadTestModules } from "./test-modules.mjs";

/** Loads these modules of the harness as one. */
export function loadHarness(...modules) {
  return loadTestModules("packages/pck/test/harness", modules);
}
