/** Published schemas: checks each against its key and adds it to the codec of its class. */

import { fingerprint, fromDocument } from "@moonpack/pck";
import { MoonpackError } from "moonpack/bytes";
import { hexOf, type StoredCodec } from "../stored/stored-codec.js";

/** A published schema that cannot be used. */
export interface SchemaProblem {
  /** Its key in the map. */
  readonly key: string;
  /** The reason. */
  readonly error: Error;
}

/** A schema of this program. */
interface OwnSchema {
  /** `typeId:fingerprint`. */
  readonly key: string;
  /** The schema document as JSON. */
  readonly document: string;
  /** This program writes values of it; otherwise it only reads them. */
  readonly isWritten: boolean;
}

/** Adds published schemas to the codecs of a serialization. */
export class SchemaLearner {
  readonly #codecs: ReadonlyMap<number, StoredCodec>;
  readonly #problems = new Map<string, Error>();

  constructor(codecs: ReadonlyMap<number, StoredCodec>) {
    this.#codecs = codecs;
  }

  get problems(): readonly SchemaProblem[] {
    return [...this.#problems].map(([key, error]) => ({ key, error }));
  }

  /** Reads an entry of the map. Does not throw: an invalid entry is added to `problems`. */
  learn(key: unknown, document: unknown): void {
    // A key may be any value, even one that cannot be converted to a string.
    if (typeof key !== "string") return;
    const [, typeId, print] = /^(\d+):([0-9a-f]{16})$/.exec(key) ?? [];
    const codec = this.#codecs.get(Number(typeId));
    // Ignored: classes of other programs, and entries of later versions.
    if (print === undefined || codec === undefined || codec.definition.isKey || codec.knows(print)) return;
    try {
      codec.learn(checked(document, print));
      this.solved(key);
    } catch (error) {
      this.failed(key, error);
    }
  }

  failed(key: string, error: unknown): void {
    this.#problems.set(key, error instanceof Error ? error : new Error(String(error)));
  }

  solved(key: string): void {
    this.#problems.delete(key);
  }

  /** Returns the schemas that this program publishes: all schemas of its classes, without classes for keys. */
  own(): OwnSchema[] {
    return [...this.#codecs.values()]
      .filter(({ definition }) => !definition.isKey)
      .flatMap((codec) =>
        [...codec.documents()].map(([print, document]) => ({
          key: `${codec.definition.typeId}:${print}`,
          document: JSON.stringify(document),
          isWritten: print === codec.fingerprint,
        })),
      );
  }
}

/** Returns the schema of a document. Throws `ERR_SCHEMA` if its fingerprint differs from the fingerprint in its key. */
function checked(document: unknown, print: string): ReturnType<typeof fromDocument> {
  if (typeof document !== "string") throw new MoonpackError("ERR_SCHEMA", "a published schema must be JSON text");
  const schema = fromDocument(document);
  const found = hexOf(fingerprint(schema));
  if (found !== print) throw new MoonpackError("ERR_SCHEMA", `the fingerprint of a published schema is ${found}`);
  return schema;
}
