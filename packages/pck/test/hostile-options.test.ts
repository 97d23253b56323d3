/** Unknown options are refused by name, options are read once, and options that are not objects are refused. */

import { fault } from "@moonpack/harness/caught.ts";
import * as pck from "@moonpack/pck";
import { emit, emitGo, emitRegions, refreshRegions, schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import { pick } from "@moonpack/pck/pick";
import { readContainer, writeContainer } from "@moonpack/pck/stream";
import { describe, expect, test } from "vitest";

const S = pck.schema("S", pck.u16("x"));
const V1 = pck.schema("S", pck.u8("x"));
const codec = pck.codec(S);
const container = pck.encodeContainer(S, [{ x: 1 }]);
const framed = pck.encodeFramed(S, { x: 1 });
const GO = "package p\n";

/** Each function that takes options, a valid set of them, and the wrong name that is tried. */
const CALLS: readonly [name: string, given: object, call: (options: never) => unknown][] = [
  ["codec", { maxDepth: 9, validate: true, codeGeneration: false, classes: new Map() }, (o) => pck.codec(S, o)],
  ["standard", { maxDepth: 9 }, (o) => pck.standard(S, o)],
  ["fromJSON", { int64: "any" }, (o) => codec.fromJSON({ x: 1 }, o)],
  ["resolve", { maxDepth: 9, classes: new Map() }, (o) => pck.resolve(V1, S, o)],
  ["pick", { rest: "ignore" }, (o) => pick(codec, "x", o)],
  ["decodeFramed", { resolver: () => codec }, (o) => pck.decodeFramed(new Uint8Array(framed.length), S, o)],
  ["decodeFramed of the same schema", { resolver: () => codec }, (o) => pck.decodeFramed(framed, S, o)],
  ["diagnose", { maxDepth: 9, framed: true }, (o) => [...pck.diagnose(framed, S, o)]],
  ["diagnoseContainer", { maxDepth: 9, maxFrameBytes: 9 }, (o) => [...pck.diagnoseContainer(container, o)]],
  ["encodeContainer", { maxFrameBytes: 9, int64: "number" }, (o) => pck.encodeContainer(S, [], o)],
  ["encodeContainer with a codec", { maxFrameBytes: 9 }, (o) => pck.encodeContainer(codec, [], o)],
  ["decodeContainer", { maxFrameBytes: 9, maxElements: 9, reader: S }, (o) => pck.decodeContainer(container, o)],
  ["ContainerWriter", { maxFrameBytes: 9 }, (o) => new pck.ContainerWriter(S, o)],
  ["ContainerReader", { maxFrameBytes: 9, reader: S, validate: true }, (o) => new pck.ContainerReader(o)],
  ["readContainer", { reader: S, binary: "view" }, (o) => readContainer([container], o)],
  ["writeContainer", { chunkSize: 2048, flush: "size", maxFrameBytes: 9 }, (o) => writeContainer(S, [], o)],
  ["infer", { name: "Row", headroom: 2 }, (o) => infer([{ a: 1 }], o)],
  ["emit", { target: "ts", name: "s", runtime: "beside", older: { V1 }, maxDepth: 9 }, (o) => emit(S, o)],
  [
    "emitGo",
    { package: "p", file: "p.go", older: { V1 }, names: (_: unknown, name: string) => name },
    (o) => emitGo(S, o),
  ],
  ["emitRegions, ts", { target: "ts", module: "esm", runtime: "beside" }, (o) => emitRegions("", S, o)],
  ["emitRegions, Go", { target: "go", strings: "view" }, (o) => emitRegions(GO, S, o)],
];

describe.each(CALLS)("%s", (_, given, call) => {
  const known = Object.keys(given)[0]!;

  test("options that are known are accepted", () => {
    expect(() => call(given as never)).not.toThrow();
  });

  test("an unknown option is refused, and the similar one is named", () => {
    const wrong = `${known}s`;
    const act = () => call({ ...given, [wrong]: 1 } as never);
    expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(act).toThrow(`"${wrong}" is not a known option: did you mean ${known}?`);
  });

  test("an own property named __proto__ is refused", () => {
    const options = Object.defineProperty({ ...given }, "__proto__", { value: {}, enumerable: true });
    expect(fault(() => call(options as never))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test.each([
    ["null", null],
    ["a text", "x"],
    ["a list", [1]],
  ])("%s is refused", (_, options) => {
    expect(fault(() => call(options as never))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("each option is read at most once", () => {
    const counts = new Map<string, number>();
    const options = {};
    for (const [name, value] of Object.entries(given)) {
      const get = () => {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return value;
      };
      Object.defineProperty(options, name, { get, enumerable: true });
    }
    call(options as never);
    expect(Object.fromEntries([...counts].filter(([, count]) => count > 1))).toEqual({});
  });
});

test.each([undefined, null, 5, {}])("%j in the place of values, samples or a text", (wrong) => {
  const code = { code: "ERR_INVALID_ARGUMENT" };
  expect(fault(() => pck.encodeContainer(S, wrong as never))).toEqual(code);
  expect(fault(() => infer(wrong as never))).toEqual(code);
  expect(fault(() => emitRegions(wrong as never, S, { target: "ts" }))).toEqual(code);
  expect(fault(() => refreshRegions(wrong as never, () => ""))).toEqual(code);
  expect(fault(() => refreshRegions("", wrong as never))).toEqual(code);
});

/** Each function that takes a schema, called with something else. */
const SCHEMA_CALLS: readonly [name: string, argument: string, call: (schema: never) => unknown][] = [
  ["codec", "schema", (s) => pck.codec(s)],
  ["standard", "schema", (s) => pck.standard(s)],
  ["encodeFramed", "schema", (s) => pck.encodeFramed(s, {} as never)],
  ["decodeFramed", "schema", (s) => pck.decodeFramed(framed, s)],
  ["decodeFramed of too few bytes", "schema", (s) => pck.decodeFramed(new Uint8Array(1), s)],
  ["resolve, writer", "writer", (s) => pck.resolve(s, S)],
  ["resolve, reader", "reader", (s) => pck.resolve(V1, s)],
  ["compare, old", "old", (s) => pck.compare(s, S)],
  ["compare, now", "now", (s) => pck.compare(V1, s)],
  ["diagnose", "schema", (s) => [...pck.diagnose(framed, s)]],
  ["fingerprint", "schema", (s) => pck.fingerprint(s)],
  ["toDocument", "schema", (s) => pck.toDocument(s)],
  ["encodeContainer", "schema", (s) => pck.encodeContainer(s, [])],
  ["ContainerWriter", "schema", (s) => new pck.ContainerWriter(s)],
  ["writeContainer", "schema", (s) => writeContainer(s, [])],
  ["emit", "schema", (s) => emit(s, { target: "ts" })],
  ["emitGo", "schema", (s) => emitGo(s, { package: "p" })],
  ["emitRegions", "schema", (s) => emitRegions("", s, { target: "ts" })],
  ["schemaSource", "schema", (s) => schemaSource(s)],
];

describe.each(SCHEMA_CALLS)("%s without a schema", (_, argument, call) => {
  test.each([
    ["undefined", undefined],
    ["null", null],
    ["5", 5],
    ["a string of length 6", "Player"],
    ["function", () => S],
  ])("%s is a wrong argument", (text, wrong) => {
    expect(fault(() => call(wrong as never))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(() => call(wrong as never)).toThrow(`${argument} must be a schema or a schema document, not ${text}`);
  });

  test("an object that is not a valid document is an invalid schema", () => {
    expect(fault(() => call({ pck: 1 } as never))).toMatchObject({ code: "ERR_SCHEMA" });
  });
});

test("the option reader of containers is a schema", () => {
  for (const reader of [null, 5, "S", [S]] as never[]) {
    expect(fault(() => new pck.ContainerReader({ reader }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => pck.decodeContainer(container, { reader }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => readContainer([container], { reader }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  }
  expect(fault(() => new pck.ContainerReader({ reader: {} as never }))).toMatchObject({ code: "ERR_SCHEMA" });
});

test("a bundle contains schemas", () => {
  for (const wrong of [{}, [], [5], { S: 5 }, { S: {} }, { S, other: undefined }] as never[]) {
    expect(fault(() => pck.bundle(wrong))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => emit(wrong, { target: "ts" }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => emitGo(wrong, { package: "p" }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  }
  for (const wrong of [undefined, null, 5] as never[])
    expect(fault(() => pck.bundle(wrong))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
});

test("emit requires a target", () => {
  for (const options of [undefined, {}, { target: undefined }, { target: "jss" }] as never[]) {
    expect(fault(() => emit(S, options))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(() => emit(S, options)).toThrow('target must be "ts" or "js"');
  }
  expect(() => emitRegions("", S, {} as never)).toThrow('target must be "ts" or "js"');
});

test("options of a codec that another function lacks are unknown there", () => {
  expect(() => pck.resolve(V1, S, { validate: false } as never)).toThrow('"validate" is not a known option');
  expect(() => [...pck.diagnose(framed, S, { int64: "number" } as never)]).toThrow('"int64" is not a known option');
  expect(() => emitRegions("", S, { target: "ts", name: "s" } as never)).toThrow('"name" is not a known option');
  expect(() => emitRegions(GO, S, { target: "go", file: "p.go" } as never)).toThrow('"file" is not a known option');
});
