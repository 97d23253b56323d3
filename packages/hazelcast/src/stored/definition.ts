/** The definition of a stored class: its type id, its schema, and how its values are read. */
import {
  type AnySchema,
  type CodecOptions,
  codec,
  type MessageDecoder,
  type ResolveOptions,
  resolve,
  type SchemaDocument,
  schema as schemaOf,
} from "@moonpack/pck";
import { flagOption, invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { typeIdOfClass } from "../type-ids.js";

/** An older schema, or its document. */
export type OldSchema = AnySchema | SchemaDocument;

/** Options of {@link stored}. */
export interface StoredOptions {
  /**
   * Older schemas whose values can be read, too. `ERR_SCHEMA` if one is incompatible with the class's schema. Not allowed for keys:
   * a key of another schema is another key.
   */
  readonly older?: readonly OldSchema[];
  /** The class is for keys: `older` is refused, and `attach` neither publishes nor learns schemas for it. Default false. */
  readonly key?: boolean;
  /** Options of the PCK codec: `int64`, `maps`, `typedArrays`, `binary`, limits. */
  readonly codec?: Omit<CodecOptions, "classes">;
  /** Classes of nested structs, by schema. */
  readonly classes?: CodecOptions["classes"];
}

const OPTIONS = ["older", "key", "codec", "classes"];

/** The options of a codec that apply to older schemas, too. */
const RESOLVE_OPTIONS = ["int64", "maps", "typedArrays", "binary", "maxDepth", "maxElements", "absent"] as const;

/** Fields that the client reads from each value to find its serializer. */
const REFUSED_FIELDS = ["hzCustomId", "getPartitionHash"];

/** The checked definition of a stored class. */
export class Definition {
  readonly typeId: number;
  readonly schema: AnySchema;
  readonly older: readonly OldSchema[];
  readonly isKey: boolean;
  readonly #codec: Omit<CodecOptions, "classes">;
  readonly #classes: CodecOptions["classes"];
  /** Decodes the defaults of absent optional fields. Created when the first one is absent. */
  #absent: MessageDecoder<unknown> | null = null;
  #absentBytes: Uint8Array = new Uint8Array();

  /** Throws `ERR_INVALID_ARGUMENT` for an invalid argument, `ERR_SCHEMA` for an invalid or incompatible schema. */
  constructor(typeId: unknown, schema: AnySchema, options: unknown) {
    const given = optionsObject(options);
    refuseUnknown(given, OPTIONS);
    this.typeId = typeIdOfClass(typeId);
    this.schema = schema;
    this.isKey = flagOption("key", ownOption(given, "key"), false);
    this.older = olderOption(ownOption(given, "older"), this.isKey);
    this.#codec = { ...optionsObject(ownOption(given, "codec"), "codec") };
    if (Object.hasOwn(this.#codec, "classes"))
      throw invalidArgument("classes is an option of stored, not of its codec");
    this.#classes = classesOption(ownOption(given, "classes"));
    codec(schema, this.codecOptions(null));
    for (const old of this.older) resolve(old, schema, this.resolveOptions(null));
    const refused = schema.fields.find(({ name }) => REFUSED_FIELDS.includes(name));
    if (refused !== undefined)
      throw invalidArgument(`the client reads ${refused.name} of each value to find its serializer: rename the field`);
  }

  /** Returns the options of a codec that decodes instances of `Class`, or plain objects for null. */
  codecOptions(Class: StoredInstances | null): CodecOptions {
    const classes = new Map(this.#classes);
    if (Class !== null) classes.set(this.schema, Class);
    return { ...this.#codec, classes };
  }

  /** Returns the same options for values of older schemas. */
  resolveOptions(Class: StoredInstances | null): ResolveOptions {
    const { classes } = this.codecOptions(Class);
    const options: Record<string, unknown> = { classes };
    for (const name of RESOLVE_OPTIONS) {
      const value = ownOption(this.#codec, name);
      if (value !== undefined) options[name] = value;
    }
    return options;
  }

  /** Sets the fields of a new instance. Missing optional fields get the same values as when they are decoded. */
  assign(instance: object, fields: object): void {
    let absent: object | null = null;
    for (const { name, omit } of this.schema.fields) {
      let value = ownOption(fields, name);
      if (value === undefined && omit.length > 0) value = ownOption((absent ??= this.#absentFields()), name);
      if (name !== "__proto__") (instance as Record<string, unknown>)[name] = value;
      else Object.defineProperty(instance, name, { value, writable: true, enumerable: true, configurable: true });
    }
  }

  #absentFields(): object {
    if (this.#absent === null) {
      const optional = this.schema.fields.filter(({ omit }) => omit.length > 0);
      const { classes: _, ...options } = this.codecOptions(null);
      const made = codec(schemaOf(...optional) as AnySchema, options);
      this.#absentBytes = made.encodeOwned({} as never);
      this.#absent = made;
    }
    return this.#absent.decode(this.#absentBytes as Uint8Array<ArrayBuffer>) as object;
  }
}

/** A class whose instances are decoded values. */
export type StoredInstances = abstract new (...args: never[]) => object;

function olderOption(older: unknown, isKey: boolean): readonly OldSchema[] {
  if (older === undefined) return [];
  if (!Array.isArray(older)) throw invalidArgument("older must be a list of schemas");
  if (isKey) throw invalidArgument("older is not allowed for keys: the schema of a key cannot change");
  return [...older];
}

function classesOption(classes: unknown): CodecOptions["classes"] {
  if (classes === undefined || classes instanceof Map) return classes;
  throw invalidArgument("classes must be a Map of schemas and classes");
}
