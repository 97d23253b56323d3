import { type Counters, counters, resetSizes } from "./codec.js";

/** Counters of a cache. */
export interface CacheStat {
  /** Lookups that found their key. */
  hit: number;
  /** Lookups that did not. */
  missed: number;
  /** Evicted entries. */
  evicted: number;
}

/** Counters of the decoder's key cache. */
export interface TrieStat {
  /** Lookups that found their key. */
  hit: number;
  /** Lookups that did not. */
  missed: number;
  /** Steps of all lookups: one each. */
  totalRoundTrip: number;
  /** Average steps of a lookup; 0 before the first one, where the original has NaN. */
  avgRoundTrip: number;
}

/** The counters at the last reset. */
let base: Counters | undefined;

/**
 * Returns statistics of the keys that the encoder expects, under the original's name "Map-key LruCache". Single entries are never evicted.
 * "String LruCache" is always 0: moonpack does not cache strings.
 * Returns a copy, unlike the original.
 */
export function lruCacheStat(): { [cacheName: string]: CacheStat } {
  const { encoded } = counters();
  return {
    "Map-key LruCache": {
      hit: encoded.keyHits - (base?.encoded.keyHits ?? 0),
      missed: encoded.keyMisses - (base?.encoded.keyMisses ?? 0),
      evicted: 0,
    },
    "String LruCache": { hit: 0, missed: 0, evicted: 0 },
  };
}

/**
 * Returns statistics of the encoder's buffer since the last reset: how often a larger one replaced it, its largest size, and the largest
 * message. `maxAllocatedSize` is the whole size; in the original it is an increment.
 */
export function bufferAllocatorStat(): { copied: number; maxAllocatedSize: number; maxOutputSize: number } {
  const { encoded, allocated, output } = counters();
  return { copied: encoded.growths - (base?.encoded.growths ?? 0), maxAllocatedSize: allocated, maxOutputSize: output };
}

/**
 * Returns statistics of the decoder's key table, under the original's name "Short key trie". Keys that a generated reader expects are not
 * counted.
 */
export function prefixTrieStat(): { [trieName: string]: TrieStat } {
  const { decoded } = counters();
  const hit = decoded.keyHits - (base?.decoded.keyHits ?? 0);
  const missed = decoded.keyMisses - (base?.decoded.keyMisses ?? 0);
  const total = hit + missed;
  return { "Short key trie": { hit, missed, totalRoundTrip: total, avgRoundTrip: total === 0 ? 0 : 1 } };
}

/** Returns zeros: strings are written directly into the message, without a separate buffer. */
export function stringBufferStat(): { copied: number; size: number } {
  return { copied: 0, size: 0 };
}

/** Resets all counters. Not in the original, whose counters only grow. */
export function resetStat(): void {
  base = counters();
  resetSizes();
}
