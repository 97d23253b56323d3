/**
 * The presets `js` and `js+regexp` of `fidelity`. In browsers they are a separate import, so that other bundles do not contain
 * them.
 *
 * @module
 */
import { readJsExtension, readOnStackWithExtensions } from "./read.js";
import { FidelityPreset } from "./support.js";
import { JS_BIGINT, JS_UNDEFINED } from "./types.js";
import { regExpParts, toParts } from "./write.js";

export type { FidelityPreset };

const preset = (regExps: boolean): FidelityPreset =>
  new FidelityPreset(
    JS_UNDEFINED,
    JS_BIGINT,
    regExps,
    readJsExtension,
    readOnStackWithExtensions,
    regExps ? regExpParts : toParts,
  );

/**
 * The preset that the name `fidelity: "js"` stands for on servers. In browsers and edge workers pass the preset itself. It
 * refuses regular expressions.
 *
 * @example
 * import { js } from "moonpack/msgpack/features";
 * decode(encode(new Set([1]), { fidelity: js }), { fidelity: js }); // Set { 1 }
 */
export const js: FidelityPreset = /* @__PURE__ */ preset(false);

/**
 * The preset that the name `fidelity: "js+regexp"` stands for on servers: `js`, and regular expressions. Decoding one compiles
 * it, and 661 bytes can take seconds to compile: use it only for trusted bytes.
 *
 * @example
 * import { jsRegExp } from "moonpack/msgpack/features";
 * decode(encode(/a/g, { fidelity: jsRegExp }), { fidelity: jsRegExp }); // /a/g
 */
export const jsRegExp: FidelityPreset = /* @__PURE__ */ preset(true);
