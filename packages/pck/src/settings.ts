/** Options of codecs, and the engines that they choose: closures, or generated code. */

import {
  DEPTH_RULE,
  ELEMENTS_RULE,
  flagOption,
  invalidArgument,
  optionsObject,
  ownOption,
  readOptions,
  refuseUnknown,
} from "moonpack/bytes";
import type { Model } from "./model/model.js";
import type { PackReader } from "./runtime/reader.js";
import type { PackWriter } from "./runtime/writer.js";
import { type AnySchema, Schema } from "./schema/schema.js";

/** Options of a codec. */
export interface CodecOptions {
  /**
   * How 64-bit integers are decoded. `"number"` throws `ERR_UNSAFE_INTEGER` beyond 2^53 - 1. Keys of maps are always
   * bigints. Default `"bigint"`.
   */
  readonly int64?: "bigint" | "number";
  /**
   * How maps with text keys are decoded: as a Map, or as an object, which encoding accepts then too. Default `"map"`.
   */
  readonly maps?: "map" | "object";
  /** Decodes lists of fixed-width numbers as typed arrays. Default false. */
  readonly typedArrays?: boolean;
  /** Decodes bytes as a copy, or as a view of the input. Default `"copy"`. */
  readonly binary?: "copy" | "view";
  /** Limit of nested structs and containers; the root is level 1. Default 512, at most 4,096. */
  readonly maxDepth?: number;
  /**
   * Limit of the elements that decoding a message may make: objects, lists and their elements, including absent ones; a
   * Map or bytes count four (docs/pck.md, "Limits"). More is `ERR_LIMIT_ELEMENTS`. Default: two for each byte, plus
   * 2^20.
   */
  readonly maxElements?: number;
  /**
   * How absent lists, maps and bytes are decoded: each as a new empty value, or all as one frozen empty value, which
   * throws when it is changed. Default `"own"`. `"shared"` saves 30 to 200 bytes for each.
   */
  readonly absent?: "own" | "shared";
  /**
   * Classes of decoded objects, by schema. Constructors are not called: fields are set on an object with the class's
   * prototype. Throws `ERR_INVALID_ARGUMENT` for a schema that the codec's schema does not reach; `doc(S, ..)` returns another
   * schema than S.
   */
  readonly classes?: ReadonlyMap<AnySchema, abstract new (...args: never[]) => object>;
  /**
   * Checks the type and range of every value when encoding. Default true. With false, for values that are known to be
   * valid, expensive checks are left out: an invalid value may be written as another one, but the bytes are always a
   * valid message.
   */
  readonly validate?: boolean;
  /**
   * Compiles the codec with `new Function`, which makes it faster. Default true on servers; off where the runtime
   * forbids it. Browsers and edge workers have it only if you pass it: `import { codeGeneration } from
   * "@moonpack/pck/codegen"`.
   */
  readonly codeGeneration?: boolean | EngineGenerator;
}

/** The options of a codec, checked and complete. */
export interface CodecSettings {
  readonly int64: "bigint" | "number";
  readonly maps: "map" | "object";
  readonly typedArrays: boolean;
  readonly binary: "copy" | "view";
  readonly maxDepth: number;
  /** Limit of elements; 0 stands for the default. */
  readonly maxElements: number;
  readonly absent: "own" | "shared";
  /** True for values of other formats, see `WeightSettings`. */
  readonly countsAllAbsent?: boolean;
  readonly validate: boolean;
  /** Prototypes of decoded objects. */
  readonly classes: ReadonlyMap<AnySchema, object>;
  /** null for closures, undefined for the runtime's default. */
  readonly generator: EngineGenerator | null | undefined;
}

/** Writes and reads the root struct of one schema. */
export interface Engine {
  /** Writes a message at `w.pos`. Throws errors of `refuse`, with paths from `within`. */
  readonly write: (w: PackWriter, value: never) => void;
  /** Reads a message at `r.pos`, whose root struct has been counted. The caller checks that the message ends there. */
  readonly read: (r: PackReader) => unknown;
}

/** Generates code for codecs. The one implementation is `codeGeneration` of `@moonpack/pck/codegen`. */
export interface EngineGenerator {
  /** @internal Returns null where code generation is forbidden, and for very large schemas. */
  (model: Model, settings: CodecSettings): Engine | null;
  /** For TypeScript only; never set. */
  readonly "~generates"?: "pck";
}

/** The rules of the options that codecs and emitted code have in common. */
export const SHARED_RULES = {
  int64: ["bigint", "number"],
  maps: ["map", "object"],
  typedArrays: [false, true],
  binary: ["copy", "view"],
  maxDepth: DEPTH_RULE,
  maxElements: ELEMENTS_RULE,
  absent: ["own", "shared"],
} as const;

const RULES = { ...SHARED_RULES, validate: [true, false] } as const;

/** Returns the names of a codec's options. */
export function codecOptionNames(): readonly string[] {
  return [...Object.keys(RULES), "classes", "codeGeneration"];
}

/** Checks and completes options. Throws `ERR_INVALID_ARGUMENT` for the first unknown or invalid one. */
export function codecSettings(options: CodecOptions | undefined): CodecSettings {
  if (options !== undefined) refuseUnknown(optionsObject(options), codecOptionNames());
  const classes = new Map<AnySchema, object>();
  const given = ownOption(options, "classes");
  if (given !== undefined) {
    const areClasses =
      given instanceof Map &&
      [...given].every(([schema, Class]) => schema instanceof Schema && typeof Class === "function");
    if (!areClasses) throw invalidArgument("classes must be a Map of schemas and classes");
    for (const [schema, Class] of given) classes.set(schema, Class.prototype);
  }
  const generation = ownOption(options, "codeGeneration");
  const generator = typeof generation === "function" ? (generation as EngineGenerator) : undefined;
  const isWanted = generator !== undefined || flagOption("codeGeneration", generation, true);
  return {
    ...(readOptions(RULES, options) as unknown as CodecSettings),
    classes,
    generator: isWanted ? generator : null,
  };
}

/**
 * Throws `ERR_INVALID_ARGUMENT` for a schema in `classes` that has no values in the model: its class would never be
 * used.
 */
export function checkClasses({ classes }: CodecSettings, model: Model): void {
  if (classes.size === 0) return;
  const reached = new Set(model.structs.map((struct) => struct.schema));
  for (const schema of classes.keys()) {
    if (reached.has(schema)) continue;
    const name = schema.name === "" ? "a schema without a name" : `the schema ${schema.name}`;
    throw invalidArgument(`classes has ${name}, which is not part of the codec's schema`);
  }
}
