import { isDeepStrictEqual } from "node:util";
import { codec } from "moonpack/pck";
import { loadCorpus } from "../../../corpus/load.js";
import type { Json } from "../../../corpus/select.js";
import type { SchemaCase } from "../cases.js";
import { conform } from "./conform.js";
import { asObject, type InferredDocument, inferSchema } from "./infer.js";
import { KINDS } from "./kinds.js";

/** A kind with its schema and its values, as a measuring process gets them. */
export interface StoredKind {
  readonly id: string;
  readonly schema: InferredDocument;
  readonly values: readonly object[];
}

/** The kinds of documents with the schemas that are inferred from them. */
export function storedKinds(): StoredKind[] {
  const corpus = new Map(loadCorpus().map((kind) => [kind.name, kind.documents as Json[]]));
  return KINDS.map((id) => {
    const documents = corpus.get(id)!.map(asObject);
    const schema = inferSchema(id, documents);
    const values = documents.map((value) => conform(schema, { ref: schema.root }, value) as object);
    return { id, schema, values };
  });
}

/** Codecs of these kinds. Throws if one reads another value than it has written. */
export function pckCases(kinds: readonly StoredKind[], isGenerated: boolean): SchemaCase[] {
  return kinds.map(({ id, schema, values }) => {
    const own = codec(schema as never, { int64: "number", maps: "object", codeGeneration: isGenerated });
    for (const value of values) {
      if (!isDeepStrictEqual(own.decode(own.encode(value as never)), value)) {
        throw new Error(`${id}: read another value than was written`);
      }
    }
    return {
      id,
      values,
      encode: (value) => own.encode(value as never),
      decode: (bytes) => own.decode(bytes) as object,
    };
  });
}
