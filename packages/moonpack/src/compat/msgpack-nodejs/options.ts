import { countOption, flagOption, optionsObject, ownOption } from "../../bytes/options.js";

/** Options of a cache of the original. */
export interface CacheOptions {
  /** Kept; has no effect. */
  enabled: boolean;
  /** Entries. Kept; has no effect. */
  size: number;
}

/** Options of a way to decode strings in the original. */
export interface StringOptions {
  /** Kept; has no effect. */
  enabled: boolean;
  /** Used for strings of fewer bytes. Kept; has no effect. */
  lessThan: number;
}

/** Every option with its value. None changes a result, in the original neither: they tune parts that it is built of. */
export interface FullOptions {
  encoder: {
    /** LRU cache of map keys, default on with 30. No effect: ours are in a table that sizes itself, 4,096 at most. */
    mapKeyCache: CacheOptions;
    /** LRU cache of other strings, default on with 100. No effect: writing a string is quicker than finding it. */
    stringCache: CacheOptions;
    byteArray: {
      /** Bytes allocated for an `encode` at first, default 1024. No effect: one buffer is kept from call to call. */
      base: number;
    };
  };
  decoder: {
    /** Prefix trie of strings, default on below 10 bytes. No effect: ours takes keys below 32 and cannot grow. */
    shortStringCache: StringOptions;
    /** UTF-8 in JavaScript, default on below 200 bytes. No effect: the quickest way is chosen for each runtime. */
    jsUtf8Decode: StringOptions;
  };
}

/** Any part of the options. */
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
 * Takes any part of the nine options; those that are not given stay as they are. `ERR_INVALID_ARGUMENT`, and nothing is
 * taken, when one makes no sense: `enabled` that is no boolean, a size that is no integer from 0 on, a `base` below 1.
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

/** The options as they are now; a copy. Not in the original. */
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
