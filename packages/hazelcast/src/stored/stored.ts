/** Classes whose instances are stored as PCK. */
import type { AnySchema, Infer, InferInput } from "@moonpack/pck";
import { Schema } from "@moonpack/pck";
import { invalidArgument, optionsObject } from "moonpack/bytes";
import { Definition, type StoredInstances, type StoredOptions } from "./definition.js";

/** The property of instances that holds their definition. A symbol, so foreign data cannot have it. */
const DEFINITION = /* @__PURE__ */ Symbol("definition");

/** A class from {@link stored}, or a class that extends one. */
export interface StoredClass extends StoredInstances {
  /** The type id. */
  readonly "~stored": number;
}

/** The base class that {@link stored} returns. */
export interface StoredBase<S extends AnySchema> {
  new (fields: InferInput<S>): Infer<S>;
  /** The type id. */
  readonly "~stored": number;
}

/**
 * Returns a base class whose instances are stored as PCK: the fingerprint of the schema, then the fields. Its constructor
 * copies the own fields of its argument; optional fields may be missing. Reading does not call constructors.
 *
 * @param typeId 1 to 2^31 - 1, the same in every program that uses the values; not 28016 and 28017
 * @throws MoonpackError `ERR_INVALID_ARGUMENT` for an invalid argument or an unknown option; `ERR_SCHEMA` for an invalid schema,
 * or an incompatible one in `older`
 * @example
 * class Player extends stored(1001, schema("Player", utf8("name"), u16("score"))) {
 *   get isBeginner() { return this.score < 100; }
 * }
 */
export function stored<S extends AnySchema>(typeId: number, schema: S, options?: StoredOptions): StoredBase<S> {
  if (!(schema instanceof Schema)) throw invalidArgument("a stored class needs a schema of @moonpack/pck");
  const definition = new Definition(typeId, schema, options);
  class Stored {
    constructor(fields: object) {
      definition.assign(this, optionsObject(fields, "the fields of a stored class"));
    }
    static get "~stored"(): number {
      return definition.typeId;
    }
  }
  Object.defineProperty(Stored.prototype, DEFINITION, { value: definition });
  return Stored as unknown as StoredBase<S>;
}

/** Returns the definition of an instance's class; undefined for other objects. */
export function definitionOf(value: object): Definition | undefined {
  return (value as { readonly [DEFINITION]?: Definition })[DEFINITION];
}

/** Returns the definition of a class; undefined for classes that are not from `stored`. */
export function definitionOfClass(Class: unknown): Definition | undefined {
  if (typeof Class !== "function") return undefined;
  const { prototype } = Class;
  return typeof prototype === "object" && prototype !== null ? definitionOf(prototype) : undefined;
}
