import { isDeepStrictEqual } from "node:util";
import { codec } from "@moonpack/pck";
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

/** The codecs of values: PCK in both ways; JSON for comparison, since its code is the same for all schemas. */
export const ENGINES = { generated: "generated code", closures: "closures", json: "JSON" } as const;

/** One of {@link ENGINES}. */
export type EngineId = keyof typeof ENGINES;

/** Codecs of these kinds. Throws if one reads another value than it has written. */
export function pckCases(kinds: readonly StoredKind[], engine: EngineId): SchemaCase[] {
  return kinds.map((kind) => {
    const each = engine === "json" ? jsonCase(kind) : pckCase(kind, engine === "generated");
    for (const value of kind.values) {
      if (!isDeepStrictEqual(each.decode(each.encode(value)), value)) {
        throw new Error(`${kind.id}: ${engine} read another value than was written`);
      }
    }
    return each;
  });
}

function pckCase({ id, schema, values }: StoredKind, codeGeneration: boolean): SchemaCase {
  const own = codec(schema as never, { int64: "number", maps: "object", codeGeneration });
  return { id, values, encode: (value) => own.encode(value as never), decode: (bytes) => own.decode(bytes) as object };
}

function jsonCase({ id, values }: StoredKind): SchemaCase {
  return {
    id,
    values,
    encode: (value) => Buffer.from(JSON.stringify(value)),
    decode: (bytes) => JSON.parse((bytes as Buffer).toString()) as object,
  };
}
