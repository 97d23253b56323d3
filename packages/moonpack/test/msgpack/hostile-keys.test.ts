/** Nested container keys. Modes that compare all bytes of a key limit the nesting to 8 keys. */

import { fault } from "@moonpack/harness/caught.ts";
import { concat, toHex } from "@moonpack/harness/hex.ts";
import { Decoder, decode, Encoder, encode } from "moonpack";
import { complete, js } from "moonpack/msgpack/features";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

/** Returns a Map inside `keys` nested keys. */
function chain(keys: number, wrap: (key: unknown) => unknown): Map<unknown, unknown> {
  let value = new Map<unknown, unknown>([[1, 2]]);
  for (let i = 0; i < keys; i++) value = new Map([[wrap(value), i]]);
  return value;
}

const wraps: [string, (key: unknown) => unknown][] = [
  ["maps", (key) => key],
  ["maps in arrays", (key) => [[key], 1]],
  ["values of maps", (key) => new Map([["a", key]])],
];

describe.each(wraps)("nested container keys: %s", (_, wrap) => {
  test("canonical encodes 8, and strict decodes 8", () => {
    const eight = encode(chain(8, wrap), { canonical: true, engine: complete });
    expect(toHex(eight)).toBe(toHex(encode(chain(8, wrap))));
    expect(toHex(encode(decode(eight, { strict: true, engine: complete })))).toBe(toHex(eight));
  });

  test("canonical and strict reject 9; other modes accept 9", () => {
    const encoder = new Encoder({ canonical: true, engine: complete });
    expect(fault(() => encoder.encode([chain(9, wrap)])).code).toBe("ERR_LIMIT_DEPTH");
    expect(toHex(encoder.encode(chain(8, wrap)))).toBe(toHex(encode(chain(8, wrap)))); // the count starts again
    const nine = encode(chain(9, wrap));
    expect(fault(() => decode(nine, { strict: true, engine: complete })).code).toBe("ERR_LIMIT_DEPTH");
    expect(toHex(encode(decode(nine)))).toBe(toHex(nine));
  });
});

test("the error of strict has the offset of the map that exceeds the limit, also in streams", () => {
  const nine = concat(
    new Uint8Array([0x92, 1]),
    encode(chain(8, (key) => key)).subarray(0, 8),
    encode(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i]))),
    new Uint8Array(100),
  );
  // A ninth key inside 8 keys, then a map of 20 pairs.
  nine[9] = 0x81;
  const at = fault(() =>
    new Decoder({ strict: true, engine: complete }).decode(
      concat(nine.subarray(0, 10), new Uint8Array([0x81]), nine.subarray(10)),
    ),
  );
  expect(at).toEqual({ code: "ERR_LIMIT_DEPTH", offset: 11, needMore: 0 });
  for (const size of [1, 3, 10]) {
    const whole = concat(nine.subarray(0, 10), new Uint8Array([0x81]), nine.subarray(10));
    const decoder = new StreamDecoder({ strict: true, engine: complete });
    const read = () => {
      for (let i = 0; i < whole.length; i += size) for (const _ of decoder.push(whole.subarray(i, i + size)));
    };
    expect(fault(read)).toEqual(at);
  }
});

test("canonical with fidelity js: Maps and Sets as keys", () => {
  const wrap = (key: unknown) => new Set([key]);
  const options = { canonical: true, engine: complete, fidelity: js } as const;
  expect(decode(encode(chain(8, wrap), options), { fidelity: js })).toEqual(chain(8, wrap));
  expect(fault(() => encode(chain(9, wrap), options)).code).toBe("ERR_LIMIT_DEPTH");
});

test("a Map that is a key of itself", () => {
  const map = new Map<unknown, unknown>();
  map.set(map, 1);
  for (const canonical of [false, true]) {
    expect(["ERR_CYCLE", "ERR_LIMIT_DEPTH"]).toContain(fault(() => encode(map, { canonical, engine: complete })).code);
  }
});
