import { builtInJs } from "#fidelity";
import { invalidArgument } from "../bytes/errors.js";
import { BYTES_RULE, DEPTH_RULE, FRAME_BYTES_RULE, type Limits } from "../bytes/limits.js";
import { choiceOption, ownOption, readOptions } from "../bytes/options.js";
import { defaultTable, ExtensionTable } from "./extension-table.js";
import type { Extensions } from "./extensions.js";
import { FidelityPreset } from "./fidelity/support.js";
import type { ShapeSupport } from "./shapes/support.js";

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
  /**
   * Default `standard`. `js` costs nothing for values that MessagePack has a form for; `json` takes 5 to 20 times the time,
   * since it asks every value for toJSON. In browsers and edge workers the preset
   * `js` has to be passed itself (`import { js } from "moonpack/fidelity"`): its name alone would make everybody carry it.
   */
  readonly fidelity?: Fidelity | FidelityPreset;
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
   * equal keys are `ERR_DUPLICATE_KEY`. Costs a sort for each map: 5 to 17 times the time of objects. Default false.
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
   * `ERR_UNSUPPORTED_TYPE`. `map`: always a Map. Both take 2 to 6 times the time on objects of recurring shapes.
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
  /** `error` (default): `ERR_UNKNOWN_EXTENSION`. `keep`: an `Extension`. */
  readonly unknownExtensions?: "error" | "keep";
  /** Refuses duplicate keys and anything not in its shortest form. Takes 3 to 5 times the time on maps. Default false. */
  readonly strict?: boolean;
  /**
   * Generates a reader (`new Function`) for object shapes that prove hot: about twice the speed on small records.
   * Default true on servers, quietly off where it is forbidden; in browsers and edge workers there is none, unless you
   * pass it: `import { codeGeneration } from "moonpack/codegen"`.
   */
  readonly codeGeneration?: boolean | ShapeSupport;
}

/** Options of an encoder, checked and complete. */
export type EncoderSettings = Required<Omit<EncoderOptions, "extensions" | "fidelity">> & SharedSettings;

/** Settings that are not simply the value of an option. */
interface SharedSettings {
  readonly extensions: ExtensionTable;
  /** Objects are seen as JSON.stringify sees them. */
  readonly json: boolean;
  /** The preset `js`, where it is chosen. */
  readonly js: FidelityPreset | null;
}

/** Options of a decoder, checked and complete. */
export type DecoderSettings = Required<Omit<DecoderOptions, "extensions" | "fidelity" | "codeGeneration">> &
  SharedSettings & {
    /** What reads recurring shapes; null for nothing but the key cache. */
    readonly shapes: ShapeSupport | null;
    readonly codeGeneration: boolean;
  };

/** Rules of the options that are settings as they are; see readOptions. */
const UTF8 = ["strict", "replace"] as const;
const ENCODER_RULES = {
  utf8: UTF8,
  canonical: [false, true],
  maxDepth: DEPTH_RULE,
  maxBytes: BYTES_RULE,
} as const;
const DECODER_RULES = {
  utf8: UTF8,
  maxDepth: DEPTH_RULE,
  maxBytes: BYTES_RULE,
  maxFrameBytes: FRAME_BYTES_RULE,
  maxBufferedBytes: FRAME_BYTES_RULE,
  maps: ["auto", "object", "map"],
  int64: ["auto", "bigint", "number"],
  timestamps: ["auto", "date", "timestamp"],
  binary: ["copy", "view"],
  unknownExtensions: ["error", "keep"],
  strict: [false, true],
} as const;

/** Checks the options of an encoder; `ERR_INVALID_ARGUMENT` names the first that makes no sense. */
export function encoderSettings(options: EncoderOptions | undefined): EncoderSettings {
  return { ...readOptions(ENCODER_RULES, options), ...sharedSettings(options) } as EncoderSettings;
}

/** Checks the options of a decoder; `shapes` is what this runtime reads recurring shapes with unless told otherwise. */
export function decoderSettings(options: DecoderOptions | undefined, shapes: ShapeSupport | null): DecoderSettings {
  const settings = { ...readOptions(DECODER_RULES, options), ...sharedSettings(options) };
  const given = ownOption(options, "codeGeneration");
  const isSupport = typeof given === "function";
  return {
    ...settings,
    shapes: isSupport ? given : shapes,
    codeGeneration: isSupport || choiceOption("codeGeneration", given, [true, false]),
  } as DecoderSettings;
}

function sharedSettings(options: EncoderOptions | DecoderOptions | undefined): SharedSettings {
  const given = ownOption(options, "extensions");
  const extensions = given === undefined ? defaultTable : given;
  if (!(extensions instanceof ExtensionTable)) throw invalidArgument("extensions must be an Extensions");
  const fidelity = ownOption(options, "fidelity");
  let js: FidelityPreset | null = null;
  if (fidelity instanceof FidelityPreset) js = fidelity;
  else if (choiceOption("fidelity", fidelity, ["standard", "json", "js"]) === "js" && (js = builtInJs) === null) {
    throw invalidArgument('fidelity "js" is an import here: { js } of moonpack/fidelity');
  }
  for (const type of extensions.byType.keys()) {
    if (js?.owns(type)) throw invalidArgument(`extension type ${type} belongs to fidelity "js"`);
  }
  return { extensions, json: fidelity === "json", js };
}
