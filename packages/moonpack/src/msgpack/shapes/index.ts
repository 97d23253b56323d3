/**
 * Reading by shape, with generated code where it is allowed. The default on servers; an import of its own for browsers,
 * so that nobody carries it unasked.
 *
 * @module
 */
import type { ShapeSupport } from "./support.js";
import { ShapeTable } from "./table.js";

export type { ShapeSupport } from "./support.js";

/**
 * To be passed as `codeGeneration` where it is not the default.
 *
 * @example
 * import { codeGeneration } from "moonpack/codegen";
 * const decoder = new Decoder({ codeGeneration }); // in a page whose Content-Security-Policy allows eval
 */
export const codeGeneration: ShapeSupport = (generate) => new ShapeTable(generate);
