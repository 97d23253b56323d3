import { countOption, flagOption, optionsObject, ownOption, refuseSimilar } from "moonpack/bytes";

/** Options of a cache in the original. */
export interface CacheOptions {
  /** Kept; has no effect. */
  enabled: boolean;
  /** Number of entries. Kept; has no effect. */
  size: number;
}

/** Options of a method to decode strings in the original. */
export interface StringOptions {
  /** Kept; has no effect. */
  enabled: boolean;
  /** Length in bytes below which the method is used. Kept; has no effect. */
  lessThan: number;
}

/** All options. No option changes a result, as in the original, where they tune internal caches and buffers. */
export interface FullOptions {
  /** Options of `encode`. */
  encoder: {
    /** LRU cache of map keys, default on with 30. No effect: moonpack's table grows by itself, up to 4,096 keys. */
    mapKeyCache: CacheOptions;
    /** LRU cache of other strings, default on with 100. No effect: writing a string is faster than a lookup. */
    stringCache: CacheOptions;
    byteArray: {
      /** First allocation of an `encode` in bytes, default 1024. No effect: one buffer is kept between calls. */
      base: number;
    };
  };
  /** Options of `decode`. */
  decoder: {
    /** Prefix trie of strings, default on below 10 bytes. No effect: moonpack's cache takes keys below 32 bytes and has a fixed size. */
    shortStringCache: StringOptions;
    /** UTF-8 in JavaScript, default on below 200 bytes. No effect: moonpack chooses the fastest method for each runtime. */
    jsUtf8Decode: StringOptions;
  };
}

/** Any subset of the options. */
export type Options = {
  [Side in keyof FullOptions]?: { [Name in keyof FullOptions[Side]]?: Partial<FullOptions[Side][Name]> };
};

let current: FullOptions = {
  encoder: {
    mapKeyCache: { enabled: true, size: 30 },
    stringCache: { enabled: true, size: 100 },
    byteArray: { base: 1024 },
  },
  decoder: {
    shortStringCache: { enabled: true, lessThan: 10 },
    jsUtf8Decode: { enabled: true, lessThan: 200 },
  },
};

/**
 * Sets any of the nine options; the others keep their values. `ERR_INVALID_ARGUMENT` if an option is invalid (`enabled` is not a
 * boolean, a size is not an integer of at least 0, `base` is below 1) or misspelt; then none is set.
 */
export function applyOptions(options: Options): void {
  refuseSimilar(optionsObject(options), ["encoder", "decoder"]);
  const encoder = part(options, "encoder", ["mapKeyCache", "stringCache", "byteArray"]);
  const decoder = part(options, "decoder", ["shortStringCache", "jsUtf8Decode"]);
  const base = ownOption(part(encoder, "byteArray", ["base"]), "base");
  current = {
    encoder: {
      mapKeyCache: cache("encoder.mapKeyCache", part(encoder, "mapKeyCache", CACHE_NAMES), current.encoder.mapKeyCache),
      stringCache: cache("encoder.stringCache", part(encoder, "stringCache", CACHE_NAMES), current.encoder.stringCache),
      byteArray: { base: countOption("encoder.byteArray.base", base, current.encoder.byteArray.base, 1, 0xffffffff) },
    },
    decoder: {
      shortStringCache: strings(
        "decoder.shortStringCache",
        part(decoder, "shortStringCache", STRING_NAMES),
        current.decoder.shortStringCache,
      ),
      jsUtf8Decode: strings(
        "decoder.jsUtf8Decode",
        part(decoder, "jsUtf8Decode", STRING_NAMES),
        current.decoder.jsUtf8Decode,
      ),
    },
  };
}

/** Returns a copy of the current options. Not in the original. */
export function appliedOptions(): FullOptions {
  return structuredClone(current);
}

const CACHE_NAMES = ["enabled", "size"];
const STRING_NAMES = ["enabled", "lessThan"];

/** Returns the options in the property `name`, which may have unknown names, as in the original, but no misspelt one. */
function part(options: object, name: string, known: readonly string[]): object {
  const given = optionsObject(ownOption(options, name), name);
  refuseSimilar(given, known);
  return given;
}

function cache(name: string, given: object, now: CacheOptions): CacheOptions {
  return {
    enabled: flagOption(`${name}.enabled`, ownOption(given, "enabled"), now.enabled),
    size: countOption(`${name}.size`, ownOption(given, "size"), now.size, 0, 0xffffffff),
  };
}

function strings(name: string, given: object, now: StringOptions): StringOptions {
  return {
    enabled: flagOption(`${name}.enabled`, ownOption(given, "enabled"), now.enabled),
    lessThan: countOption(`${name}.lessThan`, ownOption(given, "lessThan"), now.lessThan, 0, 0xffffffff),
  };
}
