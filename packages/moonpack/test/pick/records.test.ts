/** Generated walks of recurring maps return what the general loop returns, for any message that follows. */
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { encode, MoonpackError } from "moonpack";
import { ByteWriter } from "moonpack/bytes";
import { each, type Path, Picker } from "moonpack/pick";
import { describe, expect, test } from "vitest";
import { type Random, writeItem } from "./documents.ts";

const KEYS = ["level", "host", "state", "items", "", "0", "a", "b", "levol", "k".repeat(31), "__proto__", "é"];
const PATHS: readonly (readonly Path[])[] = [
  ["/level", "/state"],
  [["items", each, "a"], ["items", 0], "/host"],
  ["/none", "/levil"],
  ["/0", ["0"], "/"],
  ["/__proto__/a", "/a", "/b"],
  [""],
];
const WARM = 2200;

/** A map with these keys and random values. */
function record(random: Random, keys: readonly string[]): Uint8Array<ArrayBuffer> {
  const w = new ByteWriter();
  if (keys.length < 16) w.u8(0x80 | keys.length);
  else {
    w.u8(0xde);
    w.u16(keys.length);
  }
  for (const key of keys) {
    w.raw(encode(key));
    writeItem(w, random, key === "items" ? 3 : 1);
  }
  return w.written().slice();
}

/** Messages with other keys, changed bytes and cut ends. */
function* others(random: Random, keys: readonly string[]): Generator<readonly [note: string, bytes: Uint8Array]> {
  for (let i = 0; i < share(300); i++) {
    const at = random(keys.length);
    const other = [...keys];
    // Keys that are missing, there twice, renamed, or in another order.
    if (i % 4 === 0) other.splice(at, 1);
    else if (i % 4 === 1) other[at] = other[random(keys.length)]!;
    else if (i % 4 === 2) other[at] = "levxl";
    else other.push(...other.splice(at, 1));
    yield [`changed record ${i}`, record(random, other)];
    const bytes = record(random, keys);
    bytes[random(bytes.length)] = random(256);
    yield [`flipped record ${i}`, bytes];
  }
  const texts = encode(new Map(keys.map((key) => [key, "text"])));
  for (const bytes of [record(random, keys), texts])
    for (let size = 0; size < bytes.length; size++) yield [`record of ${size} bytes`, bytes.subarray(0, size)];
}

function outcome(picker: { decode(bytes: Uint8Array): unknown }, bytes: Uint8Array): unknown {
  try {
    return picker.decode(bytes);
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    return error.code;
  }
}

describe.each(
  PATHS.map((paths) => [JSON.stringify(paths, (_, step) => (step === each ? "*" : step)), paths] as const),
)("%s", (_name, paths) => {
  test.each([KEYS.length, 40])("%d keys, then other messages", (n) => {
    const keys = Array.from({ length: n }, (_, i) => KEYS[i] ?? `attribute${i}`);
    const random = randomSource(n);
    const learned = new Picker(paths);
    const plain = new Picker(paths, { codeGeneration: false });
    const compare = (bytes: Uint8Array, note: string): void => {
      const got = outcome(learned, bytes);
      expect(differ(got, outcome(plain, bytes)), note).toBeNull();
    };
    const records = Array.from({ length: share(WARM) }, () => record(random, keys));
    const nth = (i: number): Uint8Array<ArrayBuffer> => records[i % records.length]!;
    for (let i = 0; i < WARM; i++) {
      if (i < records.length || i % 16 === 0) compare(nth(i), `record ${i}`);
      else learned.decode(nth(i));
    }
    let between = 0;
    for (const [note, bytes] of others(random, keys)) {
      // Records of the same keys between them, so that the generated code is not dropped.
      for (let i = 0; i < 3; i++) learned.decode(nth(between++));
      compare(bytes, note);
    }
  });
});

test("elements of an array, in messages that are read in place", () => {
  const random = randomSource(1);
  const learned = new Picker([
    ["list", each, "level"],
    ["list", each, "a"],
  ]);
  const plain = new Picker(
    [
      ["list", each, "level"],
      ["list", each, "a"],
    ],
    { codeGeneration: false },
  );
  for (let i = 0; i < 5; i++) {
    const list = Array.from({ length: 500 }, (_, j) => ({ level: j, host: "h".repeat(random(40)), a: random(1e9) }));
    const bytes = encode({ list });
    expect(differ(learned.decode(bytes), plain.decode(bytes))).toBeNull();
    const cut = bytes.subarray(0, bytes.length - 1 - random(300));
    expect(outcome(learned, cut)).toBe(outcome(plain, cut));
  }
});
