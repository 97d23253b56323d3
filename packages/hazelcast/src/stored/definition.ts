/** What a stored class declares: its type id, its schema, and how its values are read. */
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
import { flagOption, invalidArgument, optionsObject, ownOption } from "moonpack/bytes";
import { typeIdOfClass } from "../type-ids.js";

/** A schema of the past, or its document. */
export type OldSchema = AnySchema | SchemaDocument;

/** Options of {@link stored}. */
export interface StoredOptions {
  /**
   * Older schemas whose values are read, too. `ERR_SCHEMA` if one does not fit the class's schema. Refused for keys: a key
   * of another schema is another key.
   */
  readonly reads?: readonly OldSchema[];
  /** The class is for keys: `reads` is refused, and `attach` neither publishes nor learns schemas for it. Default false. */
  readonly key?: boolean;
  /** How values are decoded and encoded: `int64`, `maps`, `typedArrays`, `binary`, limits. */
  readonly codec?: Omit<CodecOptions, "classes">;
  /** Classes of nested structs, by schema. */
  readonly classes?: CodecOptions["classes"];
}

/** The options of a codec that concern older schemas, too. */
const RESOLVE_OPTIONS = ["int64", "maps", "typedArrays", "binary", "maxDepth", "maxElements", "absent"] as const;

/** Fields that the client reads of each value, to find a serializer for it. */
const REFUSED_FIELDS = ["hzCustomId", "getPartitionHash"];

/** The declaration of a stored class, checked. */
export class Definition {
  readonly typeId: number;
  readonly schema: AnySchema;
  readonly reads: readonly OldSchema[];
  readonly isKey: boolean;
  readonly #codec: Omit<CodecOptions, "classes">;
  readonly #classes: CodecOptions["classes"];
  /** Makes the values of absent optional fields; made when one is absent. */
  #absent: MessageDecoder<unknown> | null = null;
  #absentBytes: Uint8Array = new Uint8Array();

  /** `ERR_INVALID_ARGUMENT` for an invalid argument, `ERR_SCHEMA` for a schema that is not valid or does not fit. */
  constructor(typeId: unknown, schema: AnySchema, options: unknown) {
    const given = optionsObject(options);
    this.typeId = typeIdOfClass(typeId);
    this.schema = schema;
    this.isKey = flagOption("key", ownOption(given, "key"), false);
    this.reads = readsOption(ownOption(given, "reads"), this.isKey);
    this.#codec = { ...optionsObject(ownOption(given, "codec"), "codec") };
    this.#classes = classesOption(ownOption(given, "classes"));
    codec(schema, this.codecOptions(null));
    for (const old of this.reads) resolve(old, schema, this.resolveOptions(null));
    const refused = schema.fields.find(({ name }) => REFUSED_FIELDS.includes(name));
    if (refused !== undefined)
      throw invalidArgument(`the client itself uses ${refused.name} of each value: the field needs another name`);
  }

  /** The options of the codec whose decoded values are instances of `Class`; null for plain objects. */
  codecOptions(Class: StoredInstances | null): CodecOptions {
    const classes = new Map(this.#classes);
    if (Class !== null) classes.set(this.schema, Class);
    return { ...this.#codec, classes };
  }

  /** As `codecOptions`, for values of older schemas. */
  resolveOptions(Class: StoredInstances | null): ResolveOptions {
    const { classes } = this.codecOptions(Class);
    const options: Record<string, unknown> = { classes };
    for (const name of RESOLVE_OPTIONS) {
      const value = ownOption(this.#codec, name);
      if (value !== undefined) options[name] = value;
    }
    return options;
  }

  /** Sets the fields of a new instance. Optional fields that are not given get the values that decoding would give them. */
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

function readsOption(reads: unknown, isKey: boolean): readonly OldSchema[] {
  if (reads === undefined) return [];
  if (!Array.isArray(reads)) throw invalidArgument("reads must be a list of schemas");
  if (isKey) throw invalidArgument("a key's schema never changes: reads is for values");
  return [...reads];
}

function classesOption(classes: unknown): CodecOptions["classes"] {
  if (classes === undefined || classes instanceof Map) return classes;
  throw invalidArgument("classes must be a Map of schemas and classes");
}
