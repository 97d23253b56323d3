/** `canonical: true`: the keys of a map in the order of their encoded bytes. */
import { Failure } from "../../bytes/failure.js";
import { MAX_NESTED_KEYS, nestedKeys } from "../../bytes/limits.js";

/** The members of a writer that sorting keys uses. */
interface KeyWriter {
  readonly bytes: Uint8Array;
  pos: number;
  pauseAt: number;
  keyDepth: number;
  write(value: unknown): void;
  setSafeEnd(): void;
}

/** A key and its value. */
export type Entry = readonly [unknown, unknown];

/** A key that is already encoded, with its value. */
export class EncodedKey {
  readonly key: unknown;
  readonly bytes: Uint8Array;
  readonly value: unknown;
  constructor(key: unknown, bytes: Uint8Array, value: unknown) {
    this.key = key;
    this.bytes = bytes;
    this.value = value;
  }
}

/** Encodes the keys and sorts them by their bytes, as unsigned numbers. `ERR_DUPLICATE_KEY` for two equal keys. */
export function sortedKeys(w: KeyWriter, holder: unknown, entries: readonly Entry[]): EncodedKey[] {
  if (w.keyDepth > MAX_NESTED_KEYS && entries.length > 0) {
    throw new Failure("ERR_LIMIT_DEPTH", nestedKeys("canonical"));
  }
  const { pos, pauseAt } = w;
  w.pauseAt = Infinity; // a key is written in one piece
  w.keyDepth++;
  const keys = entries.map(([key, value]) => {
    try {
      w.write(key);
    } catch (error) {
      throw Failure.at(error, key, holder);
    }
    const bytes = w.bytes.slice(pos, w.pos);
    w.pos = pos;
    return new EncodedKey(key, bytes, value);
  });
  w.pauseAt = pauseAt;
  w.setSafeEnd();
  w.keyDepth--;
  keys.sort((a, b) => compareBytes(a.bytes, b.bytes));
  keys.forEach(({ key, bytes }, i) => {
    if (i > 0 && compareBytes(bytes, keys[i - 1]!.bytes) === 0) {
      throw Failure.at(new Failure("ERR_DUPLICATE_KEY", "two keys have the same bytes"), key, holder);
    }
  });
  return keys;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
