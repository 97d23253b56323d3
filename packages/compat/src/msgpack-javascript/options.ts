import {
  countOption,
  DEFAULT_MAX_DEPTH,
  flagOption,
  invalidArgument,
  MAX_DEPTH_CEILING,
  optionsObject,
  ownOption,
  refuseSimilar,
} from "moonpack/bytes";
import { ExtensionCodec, type ExtensionCodecType } from "./extensions.js";

const UINT32_MAX = 0xffffffff;
const ENCODER_MAX_DEPTH = 100;
const INITIAL_BUFFER_SIZE = 2048;

/** Requires the option `context` if the extension codec has a context type. */
export type ContextOf<ContextType> = ContextType extends undefined
  ? object
  : {
      /** Passed to every extension function. */
      readonly context: ContextType;
    };

/** A context type without `undefined`, unless it is exactly `undefined`. */
export type SplitUndefined<T> = undefined extends T
  ? Exclude<T, undefined> extends never
    ? T
    : Exclude<T, undefined>
  : T;

/** Decodes map keys. */
export interface KeyDecoder {
  /** True if `decode` is to be called for keys of this length. */
  canBeCached(byteLength: number): boolean;
  /** Decodes the key in `bytes[inputOffset..inputOffset + byteLength)`. */
  decode(bytes: Uint8Array, inputOffset: number, byteLength: number): string;
}

/** Options of encoders, with the names and defaults of the original. */
export type EncoderOptions<ContextType = undefined> = Partial<
  Readonly<{
    /** Default: {@link ExtensionCodec.defaultCodec}, which knows Date. */
    extensionCodec: ExtensionCodecType<ContextType>;
    /** Writes bigint as int64 or uint64 of 9 bytes, and numbers beyond 32 bits as floats. Default false: bigint is an error. */
    useBigInt64: boolean;
    /** Levels of nesting; a scalar counts as a level. Default 100. */
    maxDepth: number;
    /** Size of the first buffer in bytes. Default 2048. */
    initialBufferSize: number;
    /** Writes keys of objects in UTF-16 order. Default false. */
    sortKeys: boolean;
    /** Writes floats in 4 bytes instead of 8, with less precision. Default false. */
    forceFloat32: boolean;
    /** Omits properties that are undefined, instead of writing nil. Default false. */
    ignoreUndefined: boolean;
    /** Writes integers as floats. Default false. */
    forceIntegerToFloat: boolean;
  }>
> &
  ContextOf<ContextType>;

/** Options of decoders, with the names and defaults of the original, and `maxDepth`. */
export type DecoderOptions<ContextType = undefined> = Readonly<
  Partial<{
    /** Default: {@link ExtensionCodec.defaultCodec}, which knows Date. */
    extensionCodec: ExtensionCodecType<ContextType>;
    /** Decodes 64-bit integers as bigint. Default false: as numbers, rounded beyond 2^53. */
    useBigInt64: boolean;
    /** Decodes strings, except map keys, as their bytes, which are a view of the input. Default false. */
    rawStrings: boolean;
    /** Largest string in bytes. Default 4,294,967,295, as for the next four. */
    maxStrLength: number;
    /** Largest binary in bytes. */
    maxBinLength: number;
    /** Largest number of elements of an array. */
    maxArrayLength: number;
    /** Largest number of pairs of a map. */
    maxMapLength: number;
    /** Largest extension in bytes. */
    maxExtLength: number;
    /** Replaces the built-in cache for map keys; null for no cache. */
    keyDecoder: KeyDecoder | null;
    /** Converts map keys to property names. Default: strings and numbers are kept, other keys are an error. */
    mapKeyConverter: (key: unknown) => string | number;
    /** Not in the original, which has no limit: largest depth of nested containers, 1 to 4,096. Default 512. */
    maxDepth: number;
  }>
> &
  ContextOf<ContextType>;

/** The checked options of an encoder, with defaults. */
export interface CheckedEncoderOptions {
  readonly extensionCodec: ExtensionCodecType<unknown>;
  readonly context: unknown;
  readonly useBigInt64: boolean;
  readonly maxDepth: number;
  readonly initialBufferSize: number;
  readonly sortKeys: boolean;
  readonly forceFloat32: boolean;
  readonly ignoreUndefined: boolean;
  readonly forceIntegerToFloat: boolean;
}

/** The checked options of a decoder, with defaults. */
export interface CheckedDecoderOptions {
  readonly extensionCodec: ExtensionCodecType<unknown>;
  readonly context: unknown;
  readonly useBigInt64: boolean;
  readonly rawStrings: boolean;
  readonly maxStrLength: number;
  readonly maxBinLength: number;
  readonly maxArrayLength: number;
  readonly maxMapLength: number;
  readonly maxExtLength: number;
  /** Undefined for the built-in cache. */
  readonly keyDecoder: KeyDecoder | null | undefined;
  /** Undefined to accept strings and numbers only. */
  readonly mapKeyConverter: ((key: unknown) => unknown) | undefined;
  readonly maxDepth: number;
}

/** The names of both sides: callers pass one object to both. */
const NAMES = [
  "extensionCodec",
  "context",
  "useBigInt64",
  "maxDepth",
  "initialBufferSize",
  "sortKeys",
  "forceFloat32",
  "ignoreUndefined",
  "forceIntegerToFloat",
  "rawStrings",
  "maxStrLength",
  "maxBinLength",
  "maxArrayLength",
  "maxMapLength",
  "maxExtLength",
  "keyDecoder",
  "mapKeyConverter",
];

/** Returns the options, which may have unknown names, as in the original, but no misspelt one: `ERR_INVALID_ARGUMENT`. */
function givenOptions(options: unknown): object {
  const given = optionsObject(options ?? undefined);
  refuseSimilar(given, NAMES);
  return given;
}

/** Checks the options of an encoder. `ERR_INVALID_ARGUMENT` names the first invalid one. */
export function checkEncoderOptions(options: unknown): CheckedEncoderOptions {
  const given = givenOptions(options);
  return {
    extensionCodec: codecOption(given, "tryToEncode"),
    context: ownOption(given, "context"),
    useBigInt64: flag(given, "useBigInt64"),
    maxDepth: count(given, "maxDepth", ENCODER_MAX_DEPTH, 1, Infinity),
    initialBufferSize: count(given, "initialBufferSize", INITIAL_BUFFER_SIZE, 0, UINT32_MAX),
    sortKeys: flag(given, "sortKeys"),
    forceFloat32: flag(given, "forceFloat32"),
    ignoreUndefined: flag(given, "ignoreUndefined"),
    forceIntegerToFloat: flag(given, "forceIntegerToFloat"),
  };
}

/** Checks the options of a decoder. `ERR_INVALID_ARGUMENT` names the first invalid one. */
export function checkDecoderOptions(options: unknown): CheckedDecoderOptions {
  const given = givenOptions(options);
  return {
    extensionCodec: codecOption(given, "decode"),
    context: ownOption(given, "context"),
    useBigInt64: flag(given, "useBigInt64"),
    rawStrings: flag(given, "rawStrings"),
    maxStrLength: count(given, "maxStrLength", UINT32_MAX, 0, Infinity),
    maxBinLength: count(given, "maxBinLength", UINT32_MAX, 0, Infinity),
    maxArrayLength: count(given, "maxArrayLength", UINT32_MAX, 0, Infinity),
    maxMapLength: count(given, "maxMapLength", UINT32_MAX, 0, Infinity),
    maxExtLength: count(given, "maxExtLength", UINT32_MAX, 0, Infinity),
    keyDecoder: keyDecoderOption(given),
    mapKeyConverter: converterOption(given),
    maxDepth: count(given, "maxDepth", DEFAULT_MAX_DEPTH, 1, MAX_DEPTH_CEILING),
  };
}

/** Reads an option. Null means the default, as in the original. */
function read(given: object, name: string): unknown {
  return ownOption(given, name) ?? undefined;
}

function flag(given: object, name: string): boolean {
  return flagOption(name, read(given, name), false);
}

function count(given: object, name: string, fallback: number, min: number, max: number): number {
  return countOption(name, read(given, name), fallback, min, max);
}

function codecOption(given: object, needed: "tryToEncode" | "decode"): ExtensionCodecType<unknown> {
  const codec = (read(given, "extensionCodec") ?? ExtensionCodec.defaultCodec) as ExtensionCodecType<unknown>;
  if (typeof codec[needed] === "function") return codec;
  throw invalidArgument(`extensionCodec must have the method ${needed}`);
}

function keyDecoderOption(given: object): KeyDecoder | null | undefined {
  const decoder = ownOption(given, "keyDecoder") as KeyDecoder | null | undefined;
  if (decoder === null || decoder === undefined) return decoder;
  if (typeof decoder.canBeCached === "function" && typeof decoder.decode === "function") return decoder;
  throw invalidArgument("keyDecoder must be null or have the methods canBeCached and decode");
}

function converterOption(given: object): ((key: unknown) => unknown) | undefined {
  const converter = read(given, "mapKeyConverter");
  if (converter === undefined || typeof converter === "function")
    return converter as ((key: unknown) => unknown) | undefined;
  throw invalidArgument("mapKeyConverter must be a function");
}
