/** How a codec gives and takes values. */
import { invalidArgument } from "../../bytes/errors.js";
import { DEPTH_RULE } from "../../bytes/limits.js";
import { flagOption, optionsObject, ownOption, readOptions } from "../../bytes/options.js";
import type { Model } from "../model/model.js";
import { type AnySchema, Schema } from "../schema/schema.js";
import type { EngineGenerator } from "./engine.js";

/** Options of a codec. */
export interface CodecOptions {
  /** What 64-bit integers are read as. `"number"`: `ERR_UNSAFE_INTEGER` for what is beyond 2^53 - 1. A map's keys stay bigints. Default `"bigint"`. */
  readonly int64?: "bigint" | "number";
  /** What maps with keys of text are: a Map, or an object. Default `"map"`. */
  readonly maps?: "map" | "object";
  /** Read lists of fixed-width numbers as typed arrays. Default false. */
  readonly typedArrays?: boolean;
  /** Read bytes as a copy, or as a view of the input. Default `"copy"`. */
  readonly binary?: "copy" | "view";
  /** Structs and containers within each other, the root included. Default 512, at most 4,096. */
  readonly maxDepth?: number;
  /**
   * What objects of a schema are instances of. Constructors are not called: fields are set on an object of the prototype. A schema
   * that the codec's does not reach is refused: what `doc(S, ..)` answers is another one than S.
   */
  readonly classes?: ReadonlyMap<AnySchema, abstract new (...args: never[]) => object>;
  /**
   * Check that every value is of its field's type and in its range. Default true. Without it, for values that are known to be,
   * what costs time is not looked at: a wrong value may be written as another one, but what is written is a message.
   */
  readonly validate?: boolean;
  /**
   * Compile with `new Function`: faster. Default true on servers, quietly off where it is forbidden; in browsers and edge workers
   * there is none, unless you pass it: `import { codeGeneration } from "moonpack/pck/codegen"`.
   */
  readonly codeGeneration?: boolean | EngineGenerator;
}

/** The options, checked and complete. */
export interface CodecSettings {
  readonly int64: "bigint" | "number";
  readonly maps: "map" | "object";
  readonly typedArrays: boolean;
  readonly binary: "copy" | "view";
  readonly maxDepth: number;
  readonly validate: boolean;
  readonly classes: ReadonlyMap<AnySchema, object>;
  /** null for closures, undefined for what the runtime has. */
  readonly generator: EngineGenerator | null | undefined;
}

const RULES = {
  int64: ["bigint", "number"],
  maps: ["map", "object"],
  typedArrays: [false, true],
  binary: ["copy", "view"],
  maxDepth: DEPTH_RULE,
  validate: [true, false],
} as const;

/** `ERR_INVALID_ARGUMENT` names the first option that makes no sense. */
export function codecSettings(options: CodecOptions | undefined): CodecSettings {
  const classes = new Map<AnySchema, object>();
  const given = ownOption(optionsObject(options), "classes");
  if (given !== undefined) {
    if (!(given instanceof Map)) throw invalidArgument("classes must be a Map of schemas and classes");
    for (const [schema, Class] of given) {
      if (!(schema instanceof Schema) || typeof Class !== "function") {
        throw invalidArgument("classes must be a Map of schemas and classes");
      }
      classes.set(schema as AnySchema, Class.prototype as object);
    }
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

/** `ERR_INVALID_ARGUMENT` names a schema of `classes` that no value is of: there would never be an instance of its class. */
export function checkClasses({ classes }: CodecSettings, model: Model): void {
  if (classes.size === 0) return;
  const reached = new Set(model.structs.map((struct) => struct.schema));
  for (const schema of classes.keys()) {
    if (reached.has(schema)) continue;
    const name = schema.name === "" ? "a schema without a name" : `the schema ${schema.name}`;
    throw invalidArgument(
      `classes has ${name}, which this codec has no values of: name the very schemas that it is made of`,
    );
  }
}
