import { invalidArgument } from "../../bytes/errors.js";
import { DEFAULT_MAX_DEPTH, MAX_DEPTH_CEILING } from "../../bytes/limits.js";
import { countOption, flagOption, optionsObject, ownOption } from "../../bytes/options.js";
import { ExtensionCodec, type ExtensionCodecType } from "./extensions.js";

const UINT32_MAX = 0xffffffff;
const ENCODER_MAX_DEPTH = 100;
const INITIAL_BUFFER_SIZE = 2048;

/** Asks for `context` where the extension codec wants one. */
export type ContextOf<ContextType> = ContextType extends undefined
  ? object
  : {
      /** Handed to every extension function. */
      readonly context: ContextType;
    };

type SplitTypes<T, U> = U extends T ? (Exclude<T, U> extends never ? T : Exclude<T, U>) : T;
/** A context type without `undefined`, unless it is nothing else. */
export type SplitUndefined<T> = SplitTypes<T, undefined>;

/** Turns the bytes of a map key into text; `bytes[inputOffset..inputOffset + byteLength)`. */
export interface KeyDecoder {
  /** Whether `decode` wants keys of so many bytes. */
  canBeCached(byteLength: number): boolean;
  /** The key's text. */
  decode(bytes: Uint8Array, inputOffset: number, byteLength: number): string;
}

/** Options of encoders, with the original's names and defaults. */
export type EncoderOptions<ContextType = undefined> = Partial<
  Readonly<{
    /** Default: {@link ExtensionCodec.defaultCodec}, which knows Date. */
    extensionCodec: ExtensionCodecType<ContextType>;
    /** bigint as int64 or uint64 of 9 bytes; numbers beyond 32 bits as floats. Default false: bigint is an error. */
    useBigInt64: boolean;
    /** Values may be nested so deep, scalars count as a level. Default 100. */
    maxDepth: number;
    /** Bytes of the first buffer. Default 2048. */
    initialBufferSize: number;
    /** Keys of objects in UTF-16 order. Default false. */
    sortKeys: boolean;
    /** Floats in 4 bytes instead of 8, precision lost. Default false. */
    forceFloat32: boolean;
    /** Properties that are undefined are left out instead of written as nil. Default false. */
    ignoreUndefined: boolean;
    /** Integers as floats. Default false. */
    forceIntegerToFloat: boolean;
  }>
> &
  ContextOf<ContextType>;

/** Options of decoders, with the original's names and defaults, and `maxDepth`. */
export type DecoderOptions<ContextType = undefined> = Readonly<
  Partial<{
    /** Default: {@link ExtensionCodec.defaultCodec}, which knows Date. */
    extensionCodec: ExtensionCodecType<ContextType>;
    /** 64-bit integers as bigint. Default false: as numbers, rounded beyond 2^53. */
    useBigInt64: boolean;
    /** Strings that are no map keys as their bytes, a window on the input. Default false. */
    rawStrings: boolean;
    /** Bytes of a string. Default 4,294,967,295, as for the next four. */
    maxStrLength: number;
    /** Bytes of a binary. */
    maxBinLength: number;
    /** Elements of an array. */
    maxArrayLength: number;
    /** Pairs of a map. */
    maxMapLength: number;
    /** Bytes of an extension. */
    maxExtLength: number;
    /** Decodes map keys instead of the built-in cache; null: no cache. */
    keyDecoder: KeyDecoder | null;
    /** Makes property names of keys. Default: strings and numbers as they are, anything else is an error. */
    mapKeyConverter: (key: unknown) => string | number;
    /** Not in the original, which knows no limit: containers that may be open at once, 1 to 4,096. Default 512. */
    maxDepth: number;
  }>
> &
  ContextOf<ContextType>;

/** Options of an encoder, checked and complete. */
export interface EncoderSettings {
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

/** Options of a decoder, checked and complete. */
export interface DecoderSettings {
  readonly extensionCodec: ExtensionCodecType<unknown>;
  readonly context: unknown;
  readonly useBigInt64: boolean;
  readonly rawStrings: boolean;
  readonly maxStrLength: number;
  readonly maxBinLength: number;
  readonly maxArrayLength: number;
  readonly maxMapLength: number;
  readonly maxExtLength: number;
  /** Undefined: the built-in cache. */
  readonly keyDecoder: KeyDecoder | null | undefined;
  /** Undefined: strings and numbers only. */
  readonly mapKeyConverter: ((key: unknown) => unknown) | undefined;
  readonly maxDepth: number;
}

/** Checks the options of an encoder; `ERR_INVALID_ARGUMENT` names the first that makes no sense. */
export function encoderSettings(options: unknown): EncoderSettings {
  const given = optionsObject(options ?? undefined);
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

/** Checks the options of a decoder; `ERR_INVALID_ARGUMENT` names the first that makes no sense. */
export function decoderSettings(options: unknown): DecoderSettings {
  const given = optionsObject(options ?? undefined);
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

/** Null means the default too, as in the original. */
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
