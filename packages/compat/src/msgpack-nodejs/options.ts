import { countOption, flagOption, optionsObject, ownOption } from "moonpack/bytes";

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
 * boolean, a size is not an integer of at least 0, `base` is below 1); then none is set.
 */
export function applyOptions(options: Options): void {
  const encoder = part(options, "encoder");
  const decoder = part(options, "decoder");
  const base = ownOption(part(encoder, "byteArray"), "base");
  current = {
    encoder: {
      mapKeyCache: cache("encoder.mapKeyCache", part(encoder, "mapKeyCache"), current.encoder.mapKeyCache),
      stringCache: cache("encoder.stringCache", part(encoder, "stringCache"), current.encoder.stringCache),
      byteArray: { base: countOption("encoder.byteArray.base", base, current.encoder.byteArray.base, 1, 0xffffffff) },
    },
    decoder: {
      shortStringCache: strings(
        "decoder.shortStringCache",
        part(decoder, "shortStringCache"),
        current.decoder.shortStringCache,
      ),
      jsUtf8Decode: strings("decoder.jsUtf8Decode", part(decoder, "jsUtf8Decode"), current.decoder.jsUtf8Decode),
    },
  };
}

/** Returns a copy of the current options. Not in the original. */
export function appliedOptions(): FullOptions {
  return structuredClone(current);
}

function part(options: object, name: string): object {
  return optionsObject(ownOption(optionsObject(options), name));
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
