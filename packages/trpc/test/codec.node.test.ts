/** Values as text, envelopes, headers: without a server. */
import { initTRPC } from "@trpc/server";
import * as fc from "fast-check";
import { decode, encode } from "moonpack/msgpack";
import { describe, expect, test } from "vitest";
import { moonpackLink } from "../src/client/index.ts";
import { fromBase64, toBase64 } from "../src/codec.ts";
import { envelopeBytes, inputsBytes } from "../src/envelope.ts";
import { msgpackTransformer } from "../src/index.ts";
import { acceptsMsgpack, isMsgpack } from "../src/media-types.ts";
import { moonpackHandler } from "../src/node/index.ts";
import { moonpackFetchHandler } from "../src/server/fetch.ts";

test("base64 as in Node", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(toBase64(bytes)).toBe(text);
      expect(fromBase64(text)).toEqual(bytes);
    }),
  );
  const large = new Uint8Array(100_000).map((_, i) => i * 7);
  expect(toBase64(large)).toBe(Buffer.from(large).toString("base64"));
});

test("envelopes and inputs of any length are equal to an encoder's output", () => {
  for (const length of [0, 1, 15, 16, 17, 65_535, 65_536]) {
    const values = Array.from({ length }, (_, i) => i);
    const bytes = values.map((value) => encode(value));
    const results = values.map((data) => ({ result: { data } }));
    expect(Buffer.from(envelopeBytes(results, bytes)).equals(encode(results))).toBe(true);
    const inputs = inputsBytes(bytes.map((one, i) => [String(i), one]));
    expect(Buffer.from(inputs).equals(encode(Object.fromEntries(values.map((value) => [String(value), value]))))).toBe(
      true,
    );
  }
  expect(decode(envelopeBytes({ error: 0 }, [encode("x")]))).toEqual({ error: "x" });
  expect(decode(envelopeBytes([{ result: {} }, { error: 1 }], [encode(1), encode(2)]))).toEqual([
    { result: {} },
    { error: 2 },
  ]);
});

describe("the transformer", () => {
  const { serialize, deserialize } = msgpackTransformer();

  test("values survive JSON", () => {
    const values = [
      new Date(5),
      new Map([[1, 2]]),
      new Set([1]),
      2n ** 80n,
      new Uint8Array([1]),
      null,
      [undefined],
      undefined,
    ];
    for (const value of values) {
      const text = JSON.stringify({ value: serialize(value) });
      expect(deserialize(JSON.parse(text).value)).toEqual(value);
    }
  });

  test("invalid values and texts are coded errors", () => {
    expect(() => serialize(() => 1)).toThrow(expect.objectContaining({ code: "ERR_UNSUPPORTED_TYPE" }));
    expect(() => deserialize(5)).toThrow(expect.objectContaining({ code: "ERR_INVALID_BYTE" }));
    expect(() => deserialize("!")).toThrow(expect.objectContaining({ code: "ERR_INVALID_BYTE" }));
    expect(() => deserialize("kg==")).toThrow(expect.objectContaining({ code: "ERR_TRUNCATED" }));
  });

  test("options of MessagePack", () => {
    const standard = msgpackTransformer({ encoder: { fidelity: "standard" } });
    expect(() => standard.serialize(new Set())).toThrow(expect.objectContaining({ code: "ERR_UNSUPPORTED_TYPE" }));
    expect(standard.deserialize(standard.serialize(new Date(5)))).toEqual(new Date(5));
  });
});

test("media types", () => {
  const yes = ["application/vnd.msgpack", "application/x-msgpack;q=0.5", "Application/MsgPack ; x=1"];
  for (const type of yes) expect([isMsgpack(type), acceptsMsgpack(`text/html, ${type}`)]).toEqual([true, true]);
  for (const type of ["", "application/json", "*/*", "application/msgpacks", "x/application/msgpack"])
    expect([isMsgpack(type), acceptsMsgpack(type)]).toEqual([false, false]);
  for (const q of ["0", "0.0", "0.000"]) expect(acceptsMsgpack(`application/vnd.msgpack;q=${q}`)).toBe(false);
});

test("invalid options are refused", () => {
  const t = initTRPC.create({ transformer: msgpackTransformer() });
  const router = t.router({});
  const invalid = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" });
  expect(() => moonpackHandler({ router, msgpack: { maxBytes: -1 } })).toThrow(invalid);
  expect(() => moonpackFetchHandler({ router, endpoint: "/", msgpack: { decoder: { maxDepth: -1 } } })).toThrow(
    invalid,
  );
  expect(() => moonpackLink<typeof router>({ url: "/", encoder: { fidelity: "none" as never } })).toThrow(invalid);
  expect(() => msgpackTransformer({ decoder: { strict: 1 as never } })).toThrow(invalid);
});
