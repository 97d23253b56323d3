/**
 * Reads the messages of msgpackr, with its records and shared structures, so that stored data can move: `encode` of moonpack writes the
 * values as plain maps. UPGRADING.md lists msgpackr's options and the values of each.
 *
 * @example
 * import { Decoder } from "@moonpack/compat/msgpackr";
 * new Decoder({ structures: [["id", "name"]] }).decode(bytes); // the bytes 40 07 a1 78: { id: 7, name: "x" }
 *
 * @module
 */
export { Decoder, decode, decodeMulti } from "./msgpackr/decoder.js";
export type { DecoderOptions, StructuresInput } from "./msgpackr/options.js";
