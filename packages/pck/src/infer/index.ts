/**
 * Schemas from data: `infer` makes a schema of samples, `schemaSource` writes one as a TypeScript module.
 *
 * @module
 */
export type { SchemaDocument } from "../document/document.js";
export { type InferOptions, type Inferred, infer } from "./infer.js";
export type { InferProblem } from "./type-inference.js";
