import { codec, schema, u8 } from "@moonpack/pck";
import { createParser, Decoder, Encoder, type ParserOptions } from "@moonpack/socket.io-parser";
import { Extension, Extensions } from "moonpack";
import { expect, test } from "vitest";

const event = { type: 2, nsp: "/", data: ["x", 1] };

test("packets are arrays, or objects", () => {
  expect(new Encoder().encode(event)[0].length).toBe(8);
  expect(new Encoder({ objects: true }).encode(event)[0].length).toBe(22);
});

test.each<[string, unknown]>([
  ["options", 5],
  ["options", null],
  ["objects", { objects: 1 }],
  ["encoder", { encoder: [] }],
  ["decoder", { decoder: "x" }],
  ["maxDepth", { decoder: { maxDepth: -1 } }],
  ["fidelity", { encoder: { fidelity: "all" } }],
  ["events", { events: { x: {} } }],
  ["events", { events: 5 }],
  ["onEncodeError", { onEncodeError: 5 }],
])("an invalid option is refused when the parser is made: %s", (name, options) => {
  expect(() => createParser(options as ParserOptions)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(name) }),
  );
});

test("limits apply", () => {
  const { Decoder: Limited } = createParser({ decoder: { maxDepth: 3, maxBytes: 100 } });
  const add = (value: unknown): void => new Limited().add(new Encoder().encode({ ...event, data: ["x", value] })[0]);
  add([1]);
  expect(() => add([[1]])).toThrow(expect.objectContaining({ code: "ERR_LIMIT_DEPTH" }));
  expect(() => add("x".repeat(100))).toThrow(expect.objectContaining({ code: "ERR_LIMIT_BYTES" }));
});

test("the caller's options are copied and unchanged", () => {
  const options = { encoder: { maxBytes: 100 }, decoder: {}, events: { x: codec(schema(u8("n"))) } };
  const before = structuredClone({ ...options, events: Object.keys(options.events) });
  const parser = createParser(options);
  expect({ ...options, events: Object.keys(options.events) }).toEqual(before);
  options.encoder.maxBytes = 1;
  expect(new parser.Encoder().encode({ ...event, data: ["y", 1] })[0].length).toBe(8);
});

test("a number as event name has the codec of its text, because it has the same listeners", () => {
  const parser = createParser({ events: { 1: codec(schema(u8("n"))) } });
  const decoder = new parser.Decoder();
  const seen: unknown[] = [];
  decoder.on("decoded", ({ data }) => seen.push(data));
  for (const name of [1, "1"]) decoder.add(new parser.Encoder().encode({ ...event, data: [name, { n: 7 }] })[0]);
  expect(seen).toEqual([
    [1, { n: 7 }],
    ["1", { n: 7 }],
  ]);
  for (const name of [1, "1"]) {
    const bytes = new Encoder().encode({ ...event, data: [name, { n: "of another kind" }] })[0];
    expect(() => decoder.add(bytes)).toThrow(expect.objectContaining({ code: "ERR_SOCKET_IO_PACKET" }));
  }
});

test("extensions of both ends", () => {
  class Point {
    readonly x: number;
    constructor(x: number) {
      this.x = x;
    }
  }
  const extensions = new Extensions();
  extensions.register({
    type: 1,
    class: Point,
    encode: ({ x }) => new Uint8Array([x]),
    decode: ([x]) => new Point(x!),
  });
  const parser = createParser({ encoder: { extensions }, decoder: { extensions } });
  const decoder = new parser.Decoder();
  const data: unknown[] = [];
  decoder.on("decoded", (packet) => void data.push(packet.data));
  decoder.add(new parser.Encoder().encode({ ...event, data: ["x", new Point(7)] })[0]);
  expect(data).toEqual([["x", new Point(7)]]);
  expect(() =>
    new Decoder().add(new Encoder().encode({ ...event, data: ["x", new Extension(9, new Uint8Array(1))] })[0]),
  ).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_EXTENSION" }));
});

test("encoding does not change a packet, also with undefined arguments", () => {
  const data = Object.freeze(["x", undefined, [1]]);
  new Encoder().encode({ ...event, data });
  expect(data).toEqual(["x", undefined, [1]]);
});
