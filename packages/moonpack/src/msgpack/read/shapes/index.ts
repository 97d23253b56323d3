/**
 * Reading by shape, with generated code where that is allowed. It is the default on servers. In browsers it is a separate import,
 * so that other bundles do not contain it.
 *
 * @module
 */
import type { ShapeSupport } from "../settings.js";
import { ShapeTable } from "./table.js";

export type { ShapeSupport } from "../settings.js";

/**
 * Reading by shape, for the option `codeGeneration` in browsers and edge workers. About twice the speed on small records.
 *
 * @example
 * import { codeGeneration } from "moonpack/msgpack/features";
 * const decoder = new Decoder({ codeGeneration }); // in a page whose Content-Security-Policy allows eval
 */
export const codeGeneration: ShapeSupport = (inParts) => new ShapeTable(inParts);
