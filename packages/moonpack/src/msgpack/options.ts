import { builtInPreset, refuseNames } from "#runtime";
import { ELEMENTS_RULE } from "../bytes/elements.js";
import { invalidArgument } from "../bytes/errors.js";
import { BYTES_RULE, DEPTH_RULE, FRAME_BYTES_RULE, type Limits } from "../bytes/limits.js";
import { choiceOption, type OptionRule, ownOption, readOptions } from "../bytes/options.js";
import { Engine } from "./engine.js";
import { defaultTable, type ExtensionTable, tables } from "./extension-table.js";
import type { Extensions } from "./extensions.js";
import { FidelityPreset } from "./fidelity/support.js";
import type { DecoderSettings, ShapeSupport } from "./read/settings.js";
import type { EncoderSettings } from "./write/settings.js";

export type { EncoderSettings };

/**
 * The encoding of JavaScript values without a MessagePack format.
 * - `standard`: they throw. Every other implementation can read the bytes.
 * - `json`: as in JSON.stringify, toJSON included: the same values are omitted, and the same values become null.
 * - `js`: Set, Map, undefined, Error, typed arrays and bigint beyond 64 bits become extensions 96 to 102
 *   (docs/fidelity.md), which decode to equal values; both sides must choose it. It refuses RegExp.
 * - `js+regexp`: RegExp too. Decoding compiles it, which can take seconds: only for trusted bytes.
 */
export type Fidelity = "standard" | "json" | "js" | "js+regexp";

/** Options that encoders and decoders share. */
export interface CodecOptions {
  /** The classes that are encoded as extensions. Default: the set of `registerExtension`. Costs a lookup for each instance. */
  readonly extensions?: Extensions;
  /**
   * Default `standard`. `js` costs nothing for values with a MessagePack format; `json` takes 5 to 20 times the time,
   * since it looks for toJSON in every value. In browsers and edge workers pass the preset itself instead of the name `js`:
   * `import { js } from "moonpack/msgpack/features"`. The name would add the preset to every bundle.
   */
  readonly fidelity?: Fidelity | FidelityPreset;
  /**
   * `strict` (default): lone surrogates and malformed bytes throw `ERR_INVALID_UTF8`. `replace`: they become U+FFFD. Both cost
   * the same on well-formed text.
   */
  readonly utf8?: "strict" | "replace";
  /**
   * For pages: the complete reader and writer, `import { complete } from "moonpack/msgpack/features"`. In pages, `strict`,
   * `canonical` and `fidelity: "json"` need it, and it guards against messages designed to be slow. Servers and edge workers use
   * it by default.
   */
  readonly engine?: Engine;
}

/** Options of an {@link Encoder} and of the encoding functions. */
export interface EncoderOptions extends CodecOptions {
  /**
   * Deterministic bytes: the keys of objects and Maps are sorted by their encoded bytes. Equal keys throw `ERR_DUPLICATE_KEY`,
   * a map nested in more than 8 keys `ERR_LIMIT_DEPTH`. Each map is sorted: objects take 5 to 17 times the time. Default
   * false.
   */
  readonly canonical?: boolean;
  /** Maximum number of nested open containers, 1 to 4,096. Default 512. */
  readonly maxDepth?: number;
  /** Bytes that a message may have; more throw `ERR_LIMIT_BYTES`. Default: no limit. */
  readonly maxBytes?: number;
}

/** Options of a {@link Decoder} and of the decoding functions. */
export interface DecoderOptions extends CodecOptions, Limits {
  /**
   * `auto` (default): an object if every key is a string, else a Map. `object`: other keys throw `ERR_UNSUPPORTED_TYPE`.
   * `map`: always a Map. `object` and `map` take 2 to 6 times the time on objects of recurring shapes.
   */
  readonly maps?: "auto" | "object" | "map";
  /**
   * `auto` (default): a 64-bit integer is a number if that is exact, else a bigint. `bigint`: always a bigint, which allocates.
   * `number`: integers that a number cannot hold exactly throw `ERR_UNSAFE_INTEGER`.
   */
  readonly int64?: "auto" | "bigint" | "number";
  /**
   * `auto` (default): a Date if the time has whole milliseconds, else a Timestamp. `date`: a Date, truncated to milliseconds.
   * `timestamp`: always a Timestamp.
   */
  readonly timestamps?: "auto" | "date" | "timestamp";
  /**
   * `copy` (default): decoded binary has its own memory. `view`: it is a view of the input, which it keeps in memory. `buffer`: a
   * Buffer with its own memory in Node, Deno and Bun, elsewhere the same as `copy`.
   */
  readonly binary?: "copy" | "view" | "buffer";
  /** `throw` (default): they throw `ERR_UNKNOWN_EXTENSION`. `keep`: they decode to an `Extension`. */
  readonly unknownExtensions?: "throw" | "keep";
  /**
   * Refuses duplicate keys (`ERR_DUPLICATE_KEY`), items that are not in their shortest form (`ERR_NOT_SHORTEST`), and maps nested
   * in more than 8 keys (`ERR_LIMIT_DEPTH`). Maps take 3 to 5 times the time. Default false.
   */
  readonly strict?: boolean;
  /**
   * Generates readers (`new Function`) where most objects have one of a few shapes: about twice the speed on small records.
   * Default true on servers, without effect where a policy forbids it. In browsers and edge workers pass the feature itself:
   * `import { codeGeneration } from "moonpack/msgpack/features"`.
   */
  readonly codeGeneration?: boolean | ShapeSupport;
}

/** Settings that are derived from options. */
interface SharedSettings {
  readonly extensions: ExtensionTable;
  /** Values are encoded as JSON.stringify would. */
  readonly json: boolean;
  /** The preset `js`, if it was chosen. */
  readonly js: FidelityPreset | null;
  /** The engine, if one was chosen. */
  readonly engine: Engine | null;
}

/** The rules of the options whose values are settings; see readOptions. */
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
  maxElements: ELEMENTS_RULE,
  maxBytes: BYTES_RULE,
  maxFrameBytes: FRAME_BYTES_RULE,
  maxBufferedBytes: FRAME_BYTES_RULE,
  maps: ["auto", "object", "map"],
  int64: ["auto", "bigint", "number"],
  timestamps: ["auto", "date", "timestamp"],
  binary: ["copy", "view", "buffer"],
  unknownExtensions: ["throw", "keep"],
  strict: [false, true],
} as const;

/**
 * Checks the options of an encoder. Throws `ERR_INVALID_ARGUMENT`, which names the first invalid one, or a name that is
 * not known. Names of the other direction are known too, so that both directions can have one options object.
 */
export function encoderSettings(options: EncoderOptions | undefined): EncoderSettings {
  return settingsOf(ENCODER_RULES, options) as unknown as EncoderSettings;
}

/** Checks the options of a decoder, as {@link encoderSettings}. `shapes`: the default of this runtime for `codeGeneration`. */
export function decoderSettings(options: DecoderOptions | undefined, shapes: ShapeSupport | null): DecoderSettings {
  const settings = settingsOf(DECODER_RULES, options);
  const given = ownOption(options, "codeGeneration");
  const isSupport = typeof given === "function";
  const generates = isSupport || choiceOption("codeGeneration", given, [true, false]);
  return {
    ...settings,
    shapes: isSupport ? given : generates ? shapes : null,
    keepsClasses: isSupport || shapes !== null,
  } as unknown as DecoderSettings;
}

/** Returns the names of an encoder's and a decoder's options: each accepts both, so that a pair can share one object. */
export function codecOptionNames(): readonly string[] {
  const names = Object.keys({ ...ENCODER_RULES, ...DECODER_RULES });
  return [...names, "codeGeneration", "engine", "extensions", "fidelity"];
}

function settingsOf(
  rules: { readonly [name: string]: OptionRule },
  options: EncoderOptions | DecoderOptions | undefined,
): Record<string, unknown> {
  const settings = readOptions(rules, options);
  refuseNames(options ?? {}, codecOptionNames());
  return { ...settings, ...sharedSettings(options) };
}

function sharedSettings(options: EncoderOptions | DecoderOptions | undefined): SharedSettings {
  const given = ownOption(options, "extensions") as Extensions | undefined;
  const extensions = given === undefined ? defaultTable : tables.get(given);
  if (extensions === undefined) throw invalidArgument("extensions must be an Extensions of this copy of moonpack");
  const engine = (ownOption(options, "engine") ?? null) as Engine | null;
  if (engine !== null && !(engine instanceof Engine))
    throw invalidArgument("engine must be an Engine of this copy of moonpack");
  const fidelity = ownOption(options, "fidelity");
  let js: FidelityPreset | null = null;
  if (fidelity instanceof FidelityPreset) js = fidelity;
  else if (typeof fidelity === "object") throw invalidArgument("fidelity must be a preset of this copy of moonpack");
  else {
    const name = choiceOption("fidelity", fidelity, ["standard", "json", "js", "js+regexp"]);
    if ((name === "js" || name === "js+regexp") && (js = builtInPreset(name)) === null) {
      throw invalidArgument(`fidelity "${name}" is an import here, from moonpack/msgpack/features`);
    }
  }
  for (const type of extensions.byType.keys()) {
    if (js?.owns(type)) throw invalidArgument(`extension type ${type} belongs to fidelity "js"`);
  }
  return { extensions, json: fidelity === "json", js, engine };
}
