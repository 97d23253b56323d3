/** What the cases of PCK are run on: a line for each. */
import { type AnySchema, codec, type SchemaDocument, toDocument } from "moonpack/pck";
import { codeGeneration } from "moonpack/pck/codegen";

/** A way to encode and decode. */
export interface PckEngine {
  readonly name: string;
  /** Makes ready for the values of one schema. */
  open(doc: SchemaDocument): PckEndpoint;
}

/** Both directions, for one schema. */
export interface PckEndpoint {
  encode(value: unknown): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

/** All of them. */
export function engines(): readonly PckEngine[] {
  return [
    { name: "closures", open: (doc) => codec<unknown, unknown>(doc, { codeGeneration: false }) as PckEndpoint },
    { name: "generated", open: (doc) => codec<unknown, unknown>(doc, { codeGeneration }) as PckEndpoint },
  ];
}

/** An engine for a schema of the DSL. */
export function endpointOf(engine: PckEngine, schema: AnySchema): PckEndpoint {
  return engine.open(toDocument(schema));
}
