/** Options and counters of the replacement for msgpack-nodejs, and the memory that the original tunes with them. */

import {
  appliedOptions,
  applyOptions,
  bufferAllocatorStat,
  decode,
  encode,
  lruCacheStat,
  type Options,
  prefixTrieStat,
  resetStat,
  stringBufferStat,
} from "@moonpack/compat/msgpack-nodejs";
import { fault } from "@moonpack/harness/caught.ts";
import { describe, expect, it } from "vitest";

const DEFAULTS = {
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

describe("applyOptions", () => {
  it("documented defaults; better: applyOptions({}) does not change them", () => {
    expect(appliedOptions()).toEqual(DEFAULTS);
    applyOptions({});
    expect(appliedOptions()).toEqual(DEFAULTS);
  });

  it("as before: sets any of the nine, keeps the others", () => {
    applyOptions({ encoder: { mapKeyCache: { size: 40 } } });
    applyOptions({ encoder: { byteArray: { base: 900_000 } }, decoder: { jsUtf8Decode: { enabled: false } } });
    const { encoder, decoder } = DEFAULTS;
    expect(appliedOptions()).toEqual({
      encoder: { ...encoder, mapKeyCache: { enabled: true, size: 40 }, byteArray: { base: 900_000 } },
      decoder: { ...decoder, jsUtf8Decode: { enabled: false, lessThan: 200 } },
    });
    applyOptions(DEFAULTS);
  });

  it("no option changes a result", () => {
    const value = { key: "a string", list: ["a string", "é".repeat(150)] };
    const bytes = encode(value);
    const all: Options[] = [
      {
        encoder: {
          mapKeyCache: { enabled: false, size: 0 },
          stringCache: { enabled: false, size: 0 },
          byteArray: { base: 1 },
        },
      },
      {
        decoder: {
          shortStringCache: { enabled: false, lessThan: 0 },
          jsUtf8Decode: { enabled: true, lessThan: 1_000_000 },
        },
      },
    ];
    for (const options of all) {
      applyOptions(options);
      expect(encode(value)).toEqual(bytes);
      expect(decode(bytes)).toEqual(value);
    }
    applyOptions(DEFAULTS);
  });

  it("better: rejects invalid options, `base: 0` too, and then sets none", () => {
    const wrong: unknown[] = [
      null,
      1,
      { encoder: 1 },
      { encoder: { mapKeyCache: true } },
      { encoder: { mapKeyCache: { enabled: 1 } } },
      { encoder: { stringCache: { size: -1 } } },
      { encoder: { stringCache: { size: 1.5 } } },
      { encoder: { byteArray: { base: 0 } } },
      { decoder: { shortStringCache: { lessThan: "10" } } },
      { encode: {} },
      { encoder: { mapKeyCach: { size: 7 } } },
      { encoder: { byteArray: { bas: 7 } } },
      { decoder: { jsUtf8Decode: { enable: false } } },
      { encoder: { mapKeyCache: { size: 7 } }, decoder: { jsUtf8Decode: { lessThan: Number.NaN } } },
    ];
    for (const options of wrong)
      expect(fault(() => applyOptions(options as Options)).code).toBe("ERR_INVALID_ARGUMENT");
    expect(appliedOptions()).toEqual(DEFAULTS);
    expect(fault(() => applyOptions({ encoder: { byteArray: { base: 0 } } }))).toEqual({
      code: "ERR_INVALID_ARGUMENT",
    });
  });
});

it("names unlike the known ones are ignored, as before", () => {
  applyOptions({ other: 1, encoder: { stringCache: { unrelated: 1 } } } as Options);
  expect(appliedOptions()).toEqual(DEFAULTS);
});

describe("counters, in the shapes of the original", () => {
  it("of the key tables: lruCacheStat and prefixTrieStat", () => {
    resetStat();
    expect(prefixTrieStat()["Short key trie"]).toEqual({ hit: 0, missed: 0, totalRoundTrip: 0, avgRoundTrip: 0 });
    const messages = ["uno", "dos", "tres"].map((name) => encode({ [name]: 1, shared: 2 }));
    for (let i = 0; i < 3; i++) for (const bytes of messages) decode(bytes);
    const keys = lruCacheStat()["Map-key LruCache"]!;
    expect(keys.missed).toBeGreaterThanOrEqual(4);
    expect(lruCacheStat()["String LruCache"]).toEqual({ hit: 0, missed: 0, evicted: 0 });
    const trie = prefixTrieStat()["Short key trie"]!;
    expect(trie.hit).toBeGreaterThan(0);
    expect(trie.missed).toBeGreaterThan(0);
    expect(trie.totalRoundTrip).toBe(trie.hit + trie.missed);
    expect(trie.avgRoundTrip).toBe(1);
  });

  it("of the buffer: bufferAllocatorStat; a string buffer does not exist", () => {
    resetStat();
    expect(bufferAllocatorStat()).toEqual({ copied: 0, maxAllocatedSize: 0, maxOutputSize: 0 });
    encode("x".repeat(200_000));
    const stat = bufferAllocatorStat();
    expect(stat.copied).toBeGreaterThan(0);
    expect(stat.maxOutputSize).toBe(200_005);
    expect(stat.maxAllocatedSize).toBeGreaterThanOrEqual(200_005);
    expect(stringBufferStat()).toEqual({ copied: 0, size: 0 });
  });

  it("better: distinct strings take no memory in the encoder", () => {
    resetStat();
    encode("");
    const { maxAllocatedSize } = bufferAllocatorStat();
    for (let i = 0; i < 20_000; i++) encode(`${i}`.padStart(1000, "-"));
    expect(bufferAllocatorStat().maxAllocatedSize).toBe(maxAllocatedSize);
  });

  it("better: copies, which callers cannot change, and resetStat resets them", () => {
    encode({ never: 1, met: 2 });
    const stat = lruCacheStat()["Map-key LruCache"]!;
    stat.missed = -1;
    expect(lruCacheStat()["Map-key LruCache"]!.missed).toBeGreaterThan(0);
    resetStat();
    expect(lruCacheStat()["Map-key LruCache"]!.missed).toBe(0);
  });
});
