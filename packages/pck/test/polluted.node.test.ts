/** Another library has added properties to Object.prototype before the library is loaded. They must have no effect. */

import { childResult } from "@moonpack/harness/child.ts";
import { expect, test } from "vitest";

// Modules of Node that are loaded lazily must be loaded before the pollution, which breaks Node itself.
const BEFORE = `const { writeSync } = await import("node:fs");`;

const POLLUTE = `
  const junk = {
    polluted: "yes", toJSON() { return "toJSON was called"; }, value: "a value", get: undefined, writable: true, enumerable: true, configurable: true,
    kind: "a", name: "name", type: "u8", omit: ["zero"], length: 5, fields: [], structs: {}, root: "R", pck: 1, doc: "doc", renamed: ["x"], default: 1,
    discriminator: "d", x: 77, t: "t", flag: true, maxDepth: 1, int64: "number", maps: "object", typedArrays: true, binary: "view", validate: false,
    codeGeneration: true, classes: new Map(), reader: 5, framed: true, maxFrameBytes: 1, resolver: 5, headroom: 0, target: "js", runtime: "beside", module: "commonjs", from: 5, file: "x", strings: "view", chunkSize: 1, offset: 1, code: "code", cause: "cause", done: true, next: "next", pos: 9, end: 9, reserved: 9,
  };
  for (const [key, value] of Object.entries(junk)) if (value !== undefined) Object.prototype[key] = value;
  Array.prototype.extra = "extra";
`;

const PROBE = `
  const pck = await import("@moonpack/pck");
  const { array, bool, codec, compare, decodeContainer, decodeFramed, encodeContainer, encodeFramed, enumeration, fingerprint, fromDocument, map, nullable, omitEmpty, omitNull, omitZero, ref, REF, resolve, schema, toDocument, u64, u8, U8, union, UNION, utf8, UTF8, withDefault } = pck;
  const { emit, emitGo, emitRegions } = await import("@moonpack/pck/emit");
  const { infer } = await import("@moonpack/pck/infer");
  const { pick } = await import("@moonpack/pck/pick");
  const { readContainer, writeContainer } = await import("@moonpack/pck/stream");
  const out = [];
  const hex = (bytes) => { let text = ""; for (const byte of bytes) text += byte.toString(16).padStart(2, "0"); return text; };
  const own = (value) => {
    if (Array.isArray(value)) { let text = "["; for (let i = 0; i < value.length; i++) text += own(value[i]) + ","; return text + "]"; }
    if (value instanceof Map) { let text = "Map{"; for (const [key, item] of value) text += own(key) + ":" + own(item) + ","; return text + "}"; }
    if (value instanceof Uint8Array) return "bin:" + hex(value);
    if (typeof value === "object" && value !== null) { let text = "{"; for (const key of Object.getOwnPropertyNames(value)) text += key + ":" + own(Object.getOwnPropertyDescriptor(value, key).value) + ","; return text + "}"; }
    return typeof value + ":" + String(value);
  };
  const failure = (act) => { try { return own(act()); } catch (error) { return error.name + " " + error.code + " " + error.message; } };
  const A = schema("A", u8("x"), omitEmpty(utf8("t")), bool("flag"));
  const Tree = schema("Tree", ref("a", A), array("list", nullable(REF(A))), map("map", UTF8, u64("n").type), union("u", { a: A, b: schema() }, "d"), enumeration("color", "red", "polluted"), omitNull(ref("next", () => Tree)), omitZero(u8("kind")), omitNull(u8("polluted")));
  const a = (x) => ({ x, t: "t" + x, flag: x % 2 === 0 });
  const tree = (next) => ({ a: a(1), list: [a(2), null], map: new Map([["k", 5n], ["polluted", 6n]]), u: { d: "a", ...a(3) }, color: "polluted", next, kind: 4, polluted: null });
  for (const options of [undefined, {}, Object.create(null), { codeGeneration: false }]) {
    const trees = codec(Tree, options);
    const bytes = trees.encode(tree(tree(null)));
    out.push(hex(bytes), own(trees.decode(bytes)), hex(trees.encodeShared(tree(null))), trees.encodeInto(tree(null), new Uint8Array(500), 3), trees.size(tree(null)));
    for (const paths of ["next.a.x", ["kind", "u.d", "u.t", "list.*.x"], { x: "a.x", polluted: "polluted", value: "next.next.a", kind: "color" }]) {
      for (const rest of ["check", "ignore"]) out.push(own(pick(trees, paths, { rest }).decode(bytes)), own(pick(resolve(Tree, Tree), paths, { rest }).decode(bytes)));
      out.push(failure(() => pick(trees, paths).decode(bytes.subarray(0, 20))));
    }
    out.push(failure(() => pick(trees, "junk")), failure(() => pick(trees, "type")), failure(() => pick(trees, { a: "a.next" })));
    out.push(own(trees.toJSON(tree(null))), own(trees.fromJSON(trees.toJSON(tree(null)))));
    for (let n = 0; n < bytes.length; n += 7) out.push(failure(() => trees.decode(bytes.subarray(0, n))));
    out.push(failure(() => trees.encode({ ...tree(null), a: 5 })), failure(() => trees.encode({ ...tree(null), list: [{ x: 256 }] })), failure(() => trees.decode("x")));
  }
  for (const schema of [A, Tree]) {
    const doc = toDocument(schema);
    out.push(own(doc), hex(fingerprint(schema)), own(toDocument(fromDocument(doc))), own(toDocument(fromDocument('{"pck":1,"root":"R","structs":{"R":{"fields":[]}}}'))));
  }
  for (const text of ["{}", "[]", '{"pck":1}', '{"pck":1,"root":"R"}', '{"pck":1,"root":"R","structs":{"R":{}}}', '{"pck":1,"root":"R","structs":{"R":{"fields":[{}]}}}', '{"pck":1,"root":"R","structs":{"R":{"fields":[{"name":"n"}]}}}', '{"pck":1,"root":"R","structs":{"R":{"fields":[{"name":"n","type":{}}]}}}']) out.push(failure(() => own(toDocument(fromDocument(text)))));
  const Later = schema("Later", u8("x"), withDefault(u8("more"), 3));
  const Earlier = schema("Earlier", u8("x"));
  out.push(own(resolve(Earlier, Later).decode(Uint8Array.of(5))), own(compare(Earlier, Later)));
  // These types differ only in what JSON.stringify shows of them.
  const twins = (x) => schema("Twins", enumeration("a", "left", "right"), enumeration("b", "up", "down"), array("list", UNION({ a: A }, "k")), array("more", UNION({ b: A }, "k")), withDefault(ref("d", A), a(x)));
  const twin = { a: "right", b: "down", list: [{ k: "a", ...a(1) }], more: [{ k: "b", ...a(2) }], d: a(3) };
  for (const codeGeneration of [true, false]) {
    const twinned = codec(twins(1), { codeGeneration });
    out.push(hex(twinned.encode(twin)), own(twinned.decode(twinned.encode(twin))));
  }
  out.push(own(compare(twins(1), twins(2))), own(emit(twins(1), { target: "ts" })), own(emitGo(twins(1), { package: "p" })));
  const file = encodeContainer(A, [a(1), a(2)]);
  out.push(hex(file), own(decodeContainer(file).values), hex(encodeFramed(codec(A), a(1))), own(decodeFramed(encodeFramed(codec(A), a(1)), codec(A))));
  // Options that are absent.
  out.push(own(decodeContainer(file, {}).values), own(infer([{ id: 1 }], {}).document), own(resolve(Earlier, Later, {}).decode(Uint8Array.of(5))));
  out.push(own([...pck.diagnose(codec(A).encode(a(1)), A, {})]), own([...pck.diagnoseContainer(file, {})]), hex(encodeContainer(A, [a(1)], {})));
  out.push(emitRegions('// pck:emit("rest")\\n// pck:end\\n', A, { target: "ts" }), emitRegions('package p\\n// pck:emit("rest")\\n// pck:end\\n', A, { target: "go" }));
  for await (const chunk of writeContainer(A, [a(1)], {})) out.push(hex(chunk));
  for await (const value of readContainer([file], {})) out.push(own(value));
  out.push(failure(() => codec(A, { maxDept: 1 })), failure(() => resolve(Earlier, Later, { classs: new Map() })));
  // Joined by hand: JSON.stringify would call the toJSON that was added.
  let text = "[";
  for (let i = 0; i < out.length; i++) text += (i > 0 ? "," : "") + JSON.stringify(String(out[i]));
  writeSync(1, text + "]");
`;

test("the same results as in a clean process", () => {
  const clean = childResult<string[]>(BEFORE + PROBE);
  expect(childResult(BEFORE + POLLUTE + PROBE)).toEqual(clean);
  expect(clean.length).toBeGreaterThan(80);
});

test("through require() too", () => {
  const required = PROBE.replaceAll("await import(", "require(");
  const before = `${BEFORE} const require = (await import("node:module")).createRequire(process.cwd() + "/main.js");`;
  expect(childResult(before + POLLUTE + required)).toEqual(childResult(BEFORE + PROBE));
});

test("without generated code too", () => {
  const flags = ["--disallow-code-generation-from-strings"];
  expect(childResult(BEFORE + POLLUTE + PROBE, flags)).toEqual(childResult(BEFORE + PROBE));
});

test("with frozen prototypes, as in hardened runtimes", () => {
  const freeze = `for (const owner of [Object, Array, Map, Uint8Array, Error, Function]) Object.freeze(owner.prototype);`;
  expect(childResult(BEFORE + freeze + PROBE)).toEqual(childResult(BEFORE + PROBE));
});

test("a setter on Object.prototype gets nothing of what is decoded", () => {
  const calls = childResult<unknown>(`
    const { codec, schema, u8 } = await import("@moonpack/pck");
    let calls = 0;
    Object.defineProperty(Object.prototype, "evil", { set() { calls++; }, get() { return "got"; }, configurable: true });
    const own = [];
    for (const codeGeneration of [true, false]) {
      const evil = codec(schema(u8("evil")), { codeGeneration });
      for (let i = 0; i < 300; i++) own.push(Object.hasOwn(evil.decode(Uint8Array.of(1)), "evil"));
    }
    console.log(JSON.stringify([calls, own.every(Boolean)]));`);
  expect(calls).toEqual([0, true]);
});
