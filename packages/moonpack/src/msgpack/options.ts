import { invalidArgument } from "../bytes/errors.js";
import {
  countOption,
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_FRAME_BYTES,
  flagOption,
  type Limits,
  MAX_DEPTH_CEILING,
  optionsObject,
  ownOption,
  wordOption,
} from "../bytes/limits.js";
import type { CodeGenerator } from "./codegen/index.js";
import { defaultExtensions, Extensions } from "./extensions.js";

/**
 * What happens to JavaScript values that MessagePack has no form for.
 * - `standard`: an error, never a loss. Any other implementation reads the bytes.
 * - `json`: as JSON.stringify does, toJSON included: what it drops is dropped, what it turns to null is null.
 * - `js`: Set, Map, undefined, RegExp, Error, typed arrays and bigint beyond 64 bits travel as extensions 96 to 102
 *   (docs/fidelity.md) and come back as they were; both sides must choose it.
 */
export type Fidelity = "standard" | "json" | "js";

/** What encoders and decoders have in common. */
interface CodecOptions {
  /** Which classes travel as which extension types. Default: those of `registerExtension`. Costs a lookup for each instance. */
  readonly extensions?: Extensions;
  /** Default `standard`. Costs nothing for values that MessagePack has a form for. */
  readonly fidelity?: Fidelity;
  /**
   * `strict` (default): a lone surrogate or malformed bytes are `ERR_INVALID_UTF8`. `replace`: they become U+FFFD.
   * Both cost the same on well-formed text.
   */
  readonly utf8?: "strict" | "replace";
}

/** Options of an {@link Encoder} and of the encoding functions. */
export interface EncoderOptions extends CodecOptions {
  /**
   * Deterministic bytes: keys of objects and Maps in the order of their encoded bytes, whatever order they came in;
   * equal keys are `ERR_DUPLICATE_KEY`. Costs a sort for each map: 2 to 4 times the time of an object. Default false.
   */
  readonly canonical?: boolean;
  /** Containers that may be open at once, 1 to 4,096. Default 512. */
  readonly maxDepth?: number;
  /** Bytes that a message may have; more is `ERR_LIMIT_BYTES`. Default: no limit. */
  readonly maxBytes?: number;
}

/** Options of a {@link Decoder} and of the decoding functions. */
export interface DecoderOptions extends CodecOptions, Limits {
  /**
   * `auto` (default): an object when every key is a string, else a Map. `object`: other keys are
   * `ERR_UNSUPPORTED_TYPE`. `map`: always a Map; slower than objects of recurring shapes.
   */
  readonly maps?: "auto" | "object" | "map";
  /**
   * `auto` (default): 64-bit integers are numbers when safe, else bigint. `bigint`: always bigint (an allocation each).
   * `number`: unsafe ones are `ERR_UNSAFE_INTEGER`.
   */
  readonly int64?: "auto" | "bigint" | "number";
  /** `auto` (default): a Date when whole milliseconds hold it, else a Timestamp. `date` cuts what is finer; `timestamp`: always. */
  readonly timestamps?: "auto" | "date" | "timestamp";
  /** `copy` (default): decoded binary owns its memory. `view`: it is a window on the input: no copy, but it pins the input. */
  readonly binary?: "copy" | "view";
  /** `error` (default): `ERR_UNKNOWN_EXTENSION`. `keep`: an {@link Extension}. */
  readonly unknownExtensions?: "error" | "keep";
  /** Refuses duplicate keys and anything not in its shortest form. Costs a Set for each map. Default false. */
  readonly strict?: boolean;
  /**
   * Generates a reader (`new Function`) for object shapes that prove hot: about twice the speed on small records.
   * Default true on servers, quietly off where it is forbidden; in browsers and edge workers off, unless you pass the
   * generator itself: `import { codeGeneration } from "moonpack/codegen"`.
   */
  readonly codeGeneration?: boolean | CodeGenerator;
}

/** Options of an encoder, checked and complete. */
export interface EncoderSettings {
  readonly extensions: Extensions;
  readonly fidelity: Fidelity;
  readonly replaceUtf8: boolean;
  readonly canonical: boolean;
  readonly maxDepth: number;
  readonly maxBytes: number;
}

/** Options of a decoder, checked and complete. */
export interface DecoderSettings {
  readonly extensions: Extensions;
  readonly fidelity: Fidelity;
  readonly replaceUtf8: boolean;
  readonly maps: "auto" | "object" | "map";
  readonly int64: "auto" | "bigint" | "number";
  readonly timestamps: "auto" | "date" | "timestamp";
  readonly binary: "copy" | "view";
  readonly keepUnknown: boolean;
  readonly strict: boolean;
  readonly maxDepth: number;
  readonly maxBytes: number;
  readonly maxFrameBytes: number;
  readonly maxBufferedBytes: number;
  readonly generator: CodeGenerator | null;
}

const FIDELITIES = ["standard", "json", "js"] as const;
const UTF8_WAYS = ["strict", "replace"] as const;

/** Checks the options of an encoder; `ERR_INVALID_ARGUMENT` names the first that makes no sense. */
export function encoderSettings(options: EncoderOptions | undefined): EncoderSettings {
  const given = optionsObject(options);
  return {
    extensions: extensionsOption(given),
    fidelity: wordOption("fidelity", ownOption(given, "fidelity"), FIDELITIES),
    replaceUtf8: wordOption("utf8", ownOption(given, "utf8"), UTF8_WAYS) === "replace",
    canonical: flagOption("canonical", ownOption(given, "canonical"), false),
    maxDepth: countOption("maxDepth", ownOption(given, "maxDepth"), DEFAULT_MAX_DEPTH, 1, MAX_DEPTH_CEILING),
    maxBytes: countOption("maxBytes", ownOption(given, "maxBytes"), Infinity, 1, Infinity),
  };
}

/** Checks the options of a decoder; `generator` is what `codeGeneration: true` means on this runtime, null for nothing. */
export function decoderSettings(options: DecoderOptions | undefined, generator: CodeGenerator | null): DecoderSettings {
  const given = optionsObject(options);
  return {
    extensions: extensionsOption(given),
    fidelity: wordOption("fidelity", ownOption(given, "fidelity"), FIDELITIES),
    replaceUtf8: wordOption("utf8", ownOption(given, "utf8"), UTF8_WAYS) === "replace",
    maps: wordOption("maps", ownOption(given, "maps"), ["auto", "object", "map"]),
    int64: wordOption("int64", ownOption(given, "int64"), ["auto", "bigint", "number"]),
    timestamps: wordOption("timestamps", ownOption(given, "timestamps"), ["auto", "date", "timestamp"]),
    binary: wordOption("binary", ownOption(given, "binary"), ["copy", "view"]),
    keepUnknown: wordOption("unknownExtensions", ownOption(given, "unknownExtensions"), ["error", "keep"]) === "keep",
    strict: flagOption("strict", ownOption(given, "strict"), false),
    maxDepth: countOption("maxDepth", ownOption(given, "maxDepth"), DEFAULT_MAX_DEPTH, 1, MAX_DEPTH_CEILING),
    maxBytes: countOption("maxBytes", ownOption(given, "maxBytes"), Infinity, 1, Infinity),
    maxFrameBytes: countOption("maxFrameBytes", ownOption(given, "maxFrameBytes"), DEFAULT_MAX_FRAME_BYTES, 1, Infinity),
    maxBufferedBytes: countOption("maxBufferedBytes", ownOption(given, "maxBufferedBytes"), DEFAULT_MAX_FRAME_BYTES, 1, Infinity),
    generator: generatorOption(ownOption(given, "codeGeneration"), generator),
  };
}

function extensionsOption(given: object): Extensions {
  const extensions = ownOption(given, "extensions");
  if (extensions === undefined) return defaultExtensions;
  if (extensions instanceof Extensions) return extensions;
  throw invalidArgument("extensions must be an Extensions");
}

function generatorOption(given: unknown, generator: CodeGenerator | null): CodeGenerator | null {
  if (given === undefined || given === true) return generator;
  if (given === false) return null;
  if (typeof given === "function") return given as CodeGenerator;
  throw invalidArgument("codeGeneration must be true, false or the generator of moonpack/codegen");
}
