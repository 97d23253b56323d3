/** The engines that run PCK's cases. */
import { type AnySchema, codec, type SchemaDocument, toDocument } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { DecoderCompiler } from "../../build/closures/read.js";
import { DeepReader } from "../../build/closures/read-deep.js";
import { runTask } from "../../build/closures/trampoline.js";
import { EncoderCompiler } from "../../build/closures/write.js";
import { DeepWriter } from "../../build/closures/write-deep.js";
import { objectOf } from "../../build/runtime/value-kinds.js";
import { generatorOf } from "./generators.ts";

/** A way to encode and decode. */
export interface PckEngine {
  readonly name: string;
  /** Returns the engine's codec of one schema. */
  open(doc: SchemaDocument): PckEndpoint;
}

/** A codec of one schema. */
export interface PckEndpoint {
  encode(value: unknown): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

/** Returns all engines. */
export function engines(): readonly PckEngine[] {
  return [
    { name: "closures", open: (doc) => codec<unknown, unknown>(doc, { codeGeneration: false }) as PckEndpoint },
    { name: "generated", open: (doc) => codec<unknown, unknown>(doc, { codeGeneration }) as PckEndpoint },
    {
      name: "trampoline",
      open: (doc) => codec<unknown, unknown>(doc, { codeGeneration: deepEngine }) as PckEndpoint,
    },
  ];
}

/** The engine for structs that are nested too deeply for recursion, used from the root on. */
const deepEngine = generatorOf((model, settings) => {
  const reader = new DeepReader(settings, new DecoderCompiler(settings));
  const writer = new DeepWriter(settings, new EncoderCompiler(settings));
  const { root } = model;
  return {
    write: (w, value) => void runTask(writer.struct(w, root, objectOf(value), 1)),
    read: (r) => runTask(reader.struct(r, root, 1)),
  };
});

/** Returns an engine's codec of a schema that is not a document. */
export function endpointOf(engine: PckEngine, schema: AnySchema): PckEndpoint {
  return engine.open(toDocument(schema));
}
