/** What the cases of PCK are run on: a line for each. */
import { type AnySchema, codec, type SchemaDocument, toDocument } from "moonpack/pck";
import { codeGeneration } from "moonpack/pck/codegen";
import { objectOf } from "../../../dist/bytes/pack-values.js";
import { runDeep } from "../../../dist/pck/codec/deep.js";
import type { EngineGenerator } from "../../../dist/pck/codec/engine.js";
import { DecoderCompiler } from "../../../dist/pck/codec/read.js";
import { DeepReader } from "../../../dist/pck/codec/read-deep.js";
import { EncoderCompiler } from "../../../dist/pck/codec/write.js";
import { DeepWriter } from "../../../dist/pck/codec/write-deep.js";

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
    {
      name: "a stack on the heap",
      open: (doc) => codec<unknown, unknown>(doc, { codeGeneration: deepEngine }) as PckEndpoint,
    },
  ];
}

/** What reads and writes structs that are nested too deeply for recursion, from the root on. */
const deepEngine: EngineGenerator = (model, settings) => {
  const reader = new DeepReader(settings, new DecoderCompiler(settings));
  const writer = new DeepWriter(settings, new EncoderCompiler(settings));
  const { root } = model;
  return {
    write: (w, value) => void runDeep(writer.struct(w, root, objectOf(value), 1)),
    read: (r) => runDeep(reader.struct(r, root, 1)),
  };
};

/** An engine for a schema of the DSL. */
export function endpointOf(engine: PckEngine, schema: AnySchema): PckEndpoint {
  return engine.open(toDocument(schema));
}
