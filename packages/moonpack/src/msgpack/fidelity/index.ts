/**
 * The presets of `fidelity` that are more than a rule: an import of its own for browsers, where the names alone do not
 * carry them.
 *
 * @module
 */
import { readJsExtension } from "./read.js";
import { FidelityPreset } from "./support.js";
import { JS_BIGINT, JS_UNDEFINED } from "./types.js";
import { toParts } from "./write.js";

export type { FidelityPreset };

/**
 * What `fidelity: "js"` means on servers; in browsers and edge workers pass it itself.
 *
 * @example
 * import { js } from "moonpack/fidelity";
 * decode(encode(new Set([1]), { fidelity: js }), { fidelity: js }); // Set { 1 }
 */
export const js: FidelityPreset = /* @__PURE__ */ new FidelityPreset(JS_UNDEFINED, JS_BIGINT, readJsExtension, toParts);
