/** Another library has added properties to Object.prototype before moonpack was loaded. They must have no effect. */

import { childResult } from "@moonpack/harness/child.ts";
import { expect, test } from "vitest";

// Modules of Node are loaded before the pollution, which would break Node itself.
const BEFORE = `const { writeSync } = await import("node:fs");`;

const POLLUTE = `
  const junk = {
    polluted: "yes", toJSON() { return "toJSON was called"; }, get: undefined, value: "a value", writable: true, enumerable: true, configurable: true,
    strict: true, int64: "bigint", Long: class {}, low: 5, high: 5, unsigned: true, length: 5, pos: 9, len: 9, at: 3, next: "next", done: true,
    offset: 1, code: "code", cause: "cause", shared: true, resizable: true, discardUnknown: false, recursionLimit: 1,
  };
  for (const [key, value] of Object.entries(junk)) if (value !== undefined) Object.prototype[key] = value;
  Array.prototype.extra = "extra";
`;

const PROBE = `
  const { configure, Reader, Writer } = await import("@moonpack/protobuf");
  const out = [];
  const failure = (act) => { try { act(); return "none"; } catch (error) { return error.name + " " + error.code + " " + error.message; } };
  const hex = (bytes) => { let text = ""; for (const byte of bytes) text += byte.toString(16).padStart(2, "0"); return text; };
  configure({});
  for (const options of [undefined, {}, Object.create(null)]) {
    const writer = new Writer(options);
    writer.uint32(2 ** 33).int32(-1).sint32(1.5).fixed32(-1).sfixed32(7).float(1e39).double(0.1).bool(true).string("a\\ud800\u00e9").bytes([1, 300]).bytes("AQI=");
    for (const value of [1, -1.5, "77", "18446744073709551616", 5n, { low: 1, high: 2 }]) writer.int64(value).uint64(value).sint64(value).fixed64(value).sfixed64(value);
    writer.fork().raw(Uint8Array.of(1, 2)).fork().raw(new Uint8Array(300)).ldelim().ldelim().fork().reset();
    for (const name of ["uint32", "int32", "sint32", "fixed32", "sfixed32", "float", "double", "uint64", "int64", "sint64", "fixed64", "sfixed64", "bool"]) writer[name + "s"]([1, 2, 3]);
    const bytes = writer.finish();
    out.push(hex(bytes), hex(writer.finish(true)), writer.pos, writer.len, hex(writer.finishInto(new Uint8Array(bytes.length))));
    const reader = new Reader(bytes, options);
    for (const name of ["uint32", "int32", "sint32", "fixed32", "sfixed32", "float", "double", "bool", "string"]) out.push(String(reader[name]()));
    out.push(hex(reader.bytes()), hex(reader.bytes()));
    for (let i = 0; i < 6; i++) for (const name of ["int64", "uint64", "sint64", "fixed64", "sfixed64"]) { const value = reader[name](); out.push(typeof value + value); }
    reader.skipType(2);
    for (const name of ["uint32", "int32", "sint32", "fixed32", "sfixed32", "float", "double", "uint64", "int64", "sint64", "fixed64", "sfixed64", "bool"]) { let text = name; for (const value of reader[name + "s"]()) text += " " + value; out.push(text); }
    out.push(reader.pos - reader.len, failure(() => reader.uint32()), failure(() => reader.string()));
    out.push(failure(() => new Reader(new Uint8Array(2), options).skipType(4)), failure(() => new Reader(Uint8Array.of(11, 11, 12, 12), options).skipType(3)));
  }
  out.push(failure(() => new Writer().string(5)), failure(() => new Writer().bytes({})), failure(() => new Writer().int64(null)), failure(() => new Writer().int64("x")));
  out.push(failure(() => new Writer({ strict: false }).uint32(-1)), failure(() => new Writer({ strict: true }).uint32(-1)), failure(() => new Reader({})), failure(() => new Writer().finishInto(new Uint8Array(0), 1)));
  out.push(String(new Reader(Uint8Array.of(5), { int64: "bigint" }).int64()), typeof new Reader(Uint8Array.of(5), {}).int64());
  // Not JSON.stringify, which would call the added toJSON.
  let text = "[";
  for (let i = 0; i < out.length; i++) text += (i > 0 ? "," : "") + JSON.stringify(String(out[i]));
  writeSync(1, text + "]");
`;

test("the same results as in a clean process", () => {
  const clean = childResult<string[]>(BEFORE + PROBE);
  expect(childResult(BEFORE + POLLUTE + PROBE)).toEqual(clean);
  expect(clean.length).toBeGreaterThan(200);
});

test("frozen prototypes, as in hardened runtimes", () => {
  const freeze = `for (const owner of [Object, Array, Uint8Array, Error, Function]) Object.freeze(owner.prototype);`;
  expect(childResult(BEFORE + freeze + PROBE)).toEqual(childResult(BEFORE + PROBE));
});
