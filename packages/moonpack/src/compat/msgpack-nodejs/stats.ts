import { forgetSizes, type Work, work } from "./codec.js";

/** Counters of a cache. */
export interface CacheStat {
  /** Look-ups that found their key. */
  hit: number;
  /** Look-ups that did not. */
  missed: number;
  /** Entries thrown out. */
  evicted: number;
}

/** Counters of the decoder's key cache. */
export interface TrieStat {
  /** Look-ups that found their key. */
  hit: number;
  /** Look-ups that did not. */
  missed: number;
  /** Steps that look-ups took: one each. */
  totalRoundTrip: number;
  /** Steps of a look-up; 0 before the first one, where the original has NaN. */
  avgRoundTrip: number;
}

/** Where the counters stood at the last reset. */
let base: Work | undefined;

/**
 * The encoder's key table, under the original's name "Map-key LruCache": keys that followed one another as last time
 * need no look-up and count nowhere; no single entry is ever evicted. "String LruCache" stays 0: there is no such
 * cache. A copy, unlike in the original.
 */
export function lruCacheStat(): { [cacheName: string]: CacheStat } {
  const { encoded } = work();
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
 * The encoder's buffer: how often it was replaced by a larger one, its largest size, and the largest message (sizes
 * since the last reset). `maxAllocatedSize` is the whole size, not an increment as in the original.
 */
export function bufferAllocatorStat(): { copied: number; maxAllocatedSize: number; maxOutputSize: number } {
  const { encoded, allocated, output } = work();
  return { copied: encoded.growths - (base?.encoded.growths ?? 0), maxAllocatedSize: allocated, maxOutputSize: output };
}

/** The decoder's key cache, under the original's name "Short key trie". Keys that were predicted count nowhere. */
export function prefixTrieStat(): { [trieName: string]: TrieStat } {
  const { decoded } = work();
  const hit = decoded.keyHits - (base?.decoded.keyHits ?? 0);
  const missed = decoded.keyMisses - (base?.decoded.keyMisses ?? 0);
  const total = hit + missed;
  return { "Short key trie": { hit, missed, totalRoundTrip: total, avgRoundTrip: total === 0 ? 0 : 1 } };
}

/** Always 0: strings are written straight into the message, there is no buffer for them. */
export function stringBufferStat(): { copied: number; size: number } {
  return { copied: 0, size: 0 };
}

/** Starts all counters anew. Not in the original, whose counters only grow. */
export function resetStat(): void {
  base = work();
  forgetSizes();
}
