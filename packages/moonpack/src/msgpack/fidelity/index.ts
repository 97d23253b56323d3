/**
 * The preset `js` of `fidelity`. In browsers it is a separate import, so that it is only in the bundles that ask for it.
 *
 * @module
 */
import { readJsExtension, readOnStackWithExtensions } from "./read.js";
import { FidelityPreset } from "./support.js";
import { JS_BIGINT, JS_UNDEFINED } from "./types.js";
import { toParts } from "./write.js";

export type { FidelityPreset };

/**
 * The preset that the name `fidelity: "js"` stands for on servers. In browsers and edge workers pass the preset itself.
 *
 * @example
 * import { js } from "moonpack/msgpack/fidelity";
 * decode(encode(new Set([1]), { fidelity: js }), { fidelity: js }); // Set { 1 }
 */
export const js: FidelityPreset = /* @__PURE__ */ new FidelityPreset(
  JS_UNDEFINED,
  JS_BIGINT,
  readJsExtension,
  readOnStackWithExtensions,
  toParts,
);
