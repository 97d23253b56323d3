/** Every entry works under `node --frozen-intrinsics`, where the prototypes of the language are frozen. */

import { childResult } from "@moonpack/harness/child.ts";
import { expect, test } from "vitest";

const PROGRAM = `
  import { PassThrough } from "node:stream";
  import * as moonpack from "moonpack";
  import * as javascript from "@moonpack/compat/msgpack-javascript";
  import * as nodejs from "@moonpack/compat/msgpack-nodejs";
  import * as node from "moonpack/node";
  import * as pck from "@moonpack/pck";
  import { Reader, Writer } from "@moonpack/protobuf";
  import * as stream from "moonpack/stream";

  const { decode, encode } = moonpack;
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: "n" + id, share: id / 3, list: [1, 2] }));
  const inherited = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}');
  const all = async (source) => { const out = []; for await (const each of source) out.push(each); return out; };
  const coded = (act) => { try { act(); } catch (error) { return error.code; } };
  const fidelity = [new Set([1]), new Map([[1, 2]]), new TypeError("x", { cause: 1 }), undefined, 10n ** 30n];
  class Point {}
  const point = { type: 1, class: Point, encode: () => new Uint8Array(1), decode: () => new Point() };
  const extensions = new moonpack.Extensions().register(point);
  const byTurns = (write) => new Promise((resolve) => { const to = new PassThrough(); to.once("data", resolve); write(to); });

  const doors = {
    values: () => decode(encode([rows, inherited, new Date(0)])).length,
    hot: () => { for (let i = 0; i < 3000; i++) decode(encode(rows[i % 200])); return moonpack.diagnose(encode(1)); },
    errors: () => [coded(() => decode(Uint8Array.of(0xc1))), coded(() => encode({ a() {} }))],
    options: () => decode(encode(rows, { canonical: true }), { strict: true }).length,
    json: () => encode({ a: new Date(0), b: [undefined] }, { fidelity: "json" }).length,
    js: () => decode(encode(fidelity, { fidelity: "js" }), { fidelity: "js" }).length,
    regExp: () => String(decode(encode(/a/g, { fidelity: "js+regexp" }), { fidelity: "js+regexp" })),
    extensions: () => decode(encode(new Point(), { extensions }), { extensions }) instanceof Point,
    encodeStream: async () => (await all(stream.decodeStream(stream.encodeStream(rows)))).length,
    early: async () => { for await (const chunk of stream.encodeStream(rows, { flush: "each" })) return chunk.length; },
    web: async () => {
      const bytes = ReadableStream.from(rows).pipeThrough(new stream.EncodeStream());
      return (await all(bytes.pipeThrough(new stream.DecodeStream()))).length;
    },
    frames: async () => (await all(stream.decodeFrames(
      ReadableStream.from([new Uint8Array(3)]).pipeThrough(new stream.FrameEncoder()), { decode: (bytes) => bytes.length }))),
    cooperative: async () => (await stream.decodeCooperatively(await stream.encodeCooperatively(rows))).length,
    items: async () => (await all(stream.decodeArrayStream([encode(rows)]))).length,
    node: async () => {
      const encoder = new node.EncodeStream();
      for (const row of rows) encoder.write(row);
      encoder.end();
      return (await all(encoder.pipe(new node.DecodeStream()))).length;
    },
    pipelined: () => byTurns((to) => new node.PipelinedWriter(to).write(1)).then((chunk) => chunk.length),
    javascript: async () => [javascript.decode(javascript.encode(rows)).length,
      (await all(javascript.decodeMultiStream([javascript.encode(rows)]))).length],
    nodejs: () => nodejs.decode(nodejs.encode(rows)).length,
    pck: () => {
      const schema = pck.schema("Row", [pck.uvar("id"), pck.map("m", pck.UTF8, pck.U8)]);
      const codec = pck.codec(schema);
      const value = { id: 1, m: new Map([["a", 1]]) };
      for (let i = 0; i < 3000; i++) codec.decode(codec.encode(value));
      return [codec.fromJSON(codec.toJSON(value)).id, pck.decodeContainer(pck.encodeContainer(schema, [value])).values.length];
    },
    protobuf: () => { const reader = Reader.create(Writer.create().uint32(8).string("a").finish()); return reader.uint32(); },
  };
  const results = {};
  for (const [name, act] of Object.entries(doors)) {
    try { results[name] = await act(); } catch (error) { results[name] = String(error); }
  }
  console.log(JSON.stringify(results));`;

test("all results are the same as in a process without the flag", () => {
  const usual = childResult<Record<string, unknown>>(PROGRAM);
  expect(Object.values(usual).filter((result) => /Error/.test(String(result)))).toEqual([]);
  expect(Object.keys(usual).length).toBe(20);
  expect(childResult(PROGRAM, ["--frozen-intrinsics"])).toEqual(usual);
});
