/** Invalid arguments are distinct from invalid data: ERR_INVALID_ARGUMENT, before anything is read or written. */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { decoder, probe, probeBytes } from "@moonpack/harness/refused.ts";
import { differ } from "@moonpack/harness/same.ts";
import {
  Decoder,
  type DecoderOptions,
  decode,
  decodeAt,
  decodeMulti,
  Encoder,
  type EncoderOptions,
  Extension,
  encode,
  encodeInto,
  Timestamp,
} from "moonpack";
import { describe, expect, test } from "vitest";

describe("invalid arguments", () => {
  const nonsense: unknown[] = [
    undefined,
    null,
    "a string",
    5,
    5n,
    true,
    [1, 2],
    {},
    () => 1,
    Symbol("s"),
    { length: 1, 0: 0xc0 },
  ];

  test("decoding a value that is not bytes", () => {
    for (const input of nonsense) {
      for (const way of [
        decode,
        (x: Uint8Array) => decodeAt(x, 0),
        (x: Uint8Array) => [...decodeMulti(x)],
        (x: Uint8Array) => decoder.decode(x),
      ]) {
        expect(fault(() => way(input as Uint8Array))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      }
    }
    none(differ(decoder.decode(probeBytes), probe));
  });

  test("decodeAt with an offset outside the bytes", () => {
    for (const offset of [-1, 6, 1.5, Number.NaN, Infinity, "1", undefined, null]) {
      expect(
        fault(() => decodeAt(new Uint8Array(5), offset as number)),
        String(offset),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(fault(() => decodeAt(new Uint8Array(5), 5))).toEqual({ code: "ERR_TRUNCATED", offset: 5, needMore: 1 });
  });

  test("encodeInto with an invalid target, or an offset outside it", () => {
    for (const target of nonsense) {
      expect(fault(() => encodeInto(1, target as Uint8Array, 0))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const offset of [-1, 6, 1.5, Number.NaN, Infinity, "1", null]) {
      expect(
        fault(() => encodeInto(1, new Uint8Array(5), offset as number)),
        String(offset),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    const buffer = new Uint8Array(8);
    structuredClone(buffer.buffer, { transfer: [buffer.buffer] });
    expect(["ERR_INVALID_ARGUMENT", "ERR_BUFFER_TOO_SMALL"]).toContain(fault(() => encodeInto(1, buffer, 0)).code);
  });

  test("options out of range or of the wrong type", () => {
    const wrong: [string, unknown][] = [
      ["maxDepth", 0],
      ["maxDepth", 4097],
      ["maxDepth", 1.5],
      ["maxDepth", "512"],
      ["maxDepth", Number.NaN],
      ["maxDepth", Infinity],
      ["maxBytes", 0],
      ["maxBytes", "1"],
      ["maxBytes", Number.NaN],
      ["utf8", "lax"],
      ["utf8", "toString"],
      ["fidelity", "full"],
      ["extensions", {}],
      ["extensions", []],
      ["extensions", null],
    ];
    const decoderOnly: [string, unknown][] = [
      ["maps", "objects"],
      ["maps", null],
      ["int64", "Bigint"],
      ["timestamps", true],
      ["binary", "slice"],
      ["unknownExtensions", "ignore"],
      ["strict", 1],
      ["strict", "true"],
      ["codeGeneration", "yes"],
      ["maxFrameBytes", 0],
      ["maxBufferedBytes", -1],
    ];
    for (const [name, value] of [...wrong, ...decoderOnly]) {
      const error = caughtOurs(() => new Decoder({ [name]: value } as DecoderOptions));
      expect(error.code, name).toBe("ERR_INVALID_ARGUMENT");
      expect(error.message, name).toMatch(name);
    }
    for (const [name, value] of [...wrong, ["canonical", 1], ["canonical", "no"]] as [string, unknown][]) {
      const error = caughtOurs(() => new Encoder({ [name]: value } as EncoderOptions));
      expect(error.code, name).toBe("ERR_INVALID_ARGUMENT");
      expect(error.message, name).toMatch(name);
    }
    for (const options of [null, 5, "strict", [], true]) {
      expect(fault(() => new Decoder(options as unknown as DecoderOptions))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(fault(() => new Encoder(options as unknown as EncoderOptions))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(fault(() => decode(probeBytes, options as unknown as DecoderOptions))).toEqual({
        code: "ERR_INVALID_ARGUMENT",
      });
      expect(fault(() => encode(1, options as unknown as EncoderOptions))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });

  test("Extension and Timestamp with invalid arguments", () => {
    for (const type of [128, -129, 1.5, Number.NaN, "5", undefined]) {
      expect(fault(() => new Extension(type as number, new Uint8Array(1)))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const data of [undefined, null, "x", [1], new ArrayBuffer(1)]) {
      expect(fault(() => new Extension(1, data as unknown as Uint8Array))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const [seconds, nanoseconds] of [
      [1.5, 0],
      [Number.NaN, 0],
      [2 ** 53, 0],
      [2n ** 63n, 0],
      [-(2n ** 63n) - 1n, 0],
      [0, -1],
      [0, 1e9],
      [0, 0.5],
      ["1", 0],
    ] as [number, number][]) {
      expect(
        fault(() => new Timestamp(seconds, nanoseconds)),
        String(seconds),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });
});
