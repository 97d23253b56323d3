/**
 * Bytes that become as many bytes of memory as can be: what SECURITY.md says of memory is measured with these, and tested in
 * a process with a small heap. Each case is a function that reads its input, made for about `size` bytes.
 */

import * as compat from "@moonpack/compat/msgpack-javascript";
import * as pck from "@moonpack/pck";
import { Decoder } from "moonpack";
import { StreamDecoder } from "moonpack/stream";

const { array, bool, bytes, codec, f64, map, nullable, omitEmpty, omitZero, schema, u32, uvar, uvar64, utf8 } = pck;
const { ARRAY, BOOL, BYTES, MAP, REF, U8, UTF8 } = pck;

/** `head`, then `unit` again and again. */
function repeated(head, unit, count) {
  const input = new Uint8Array(head.length + unit.length * count);
  input.set(head);
  for (let i = 0; i < count; i++) input.set(unit, head.length + i * unit.length);
  return input;
}

function uvarBytes(value) {
  const out = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    out.push(rest > 127 ? (rest % 128) | 128 : rest);
    if (rest < 128) return out;
  }
}

function msgpack(unit, options, decode = (input) => new Decoder(options).decode(input)) {
  return (size) => {
    const count = Math.floor(size / unit.length);
    const low = [(count >> 8) & 255, count & 255];
    const head = count < 65_536 ? [0xdc, ...low] : [0xdd, count >>> 24, (count >> 16) & 255, ...low];
    const input = repeated(head, unit, count);
    return { input, read: () => decode(input) };
  };
}

/** Reads a message in parts of 1,000 bytes. */
function inParts(input) {
  const decoder = new StreamDecoder({ fidelity: "js" });
  const values = [];
  for (let at = 0; at < input.length; at += 1000) values.push(...decoder.push(input.subarray(at, at + 1000)));
  return values;
}

/** A list of structs of these fields, each in the bytes of `unit`; `first`: another one before them. */
function structs(fields, unit, options, first) {
  const root = schema("List", [array("v", REF(schema("Item", fields)))]);
  return (size) => {
    const count = Math.floor(size / unit.length);
    const input = repeated([...uvarBytes(count + (first ? 1 : 0)), ...(first ?? [])], unit, count);
    return { input, read: () => codec(root, options).decode(input) };
  };
}

/** A list of what zeros stand for; `each`: how many of them a byte is. */
function zeros(element, each, options) {
  const root = schema("List", [array("v", element)]);
  return (size) => {
    const input = repeated(uvarBytes(size * each), [0], size);
    return { input, read: () => codec(root, options).decode(input) };
  };
}

/** A list of maps, which are objects, each in the bytes of `unit`. */
function listOfMaps(element, unit, options) {
  const root = schema("List", [array("v", element)]);
  return (size) => {
    const count = Math.floor(size / unit.length);
    const input = repeated(uvarBytes(count), unit, count);
    return { input, read: () => codec(root, { ...options, maps: "object" }).decode(input) };
  };
}

/** Such structs in a container that carries their schema: as one value. */
function contained(fields) {
  const root = schema("List", [array("v", REF(schema("Item", fields)))]);
  return (size) => {
    const message = repeated(uvarBytes(size), [0], size);
    const input = repeated([...pck.encodeContainer(root, []), ...uvarBytes(message.length)], message, 1);
    return { input, read: () => pck.decodeContainer(input).values };
  };
}

/** The same, as many values. */
function containedOneByOne(fields) {
  const head = pck.encodeContainer(schema("Item", fields), []);
  return (size) => {
    const input = repeated(head, [1, 0], Math.floor(size / 2));
    return { input, read: () => pck.decodeContainer(input).values };
  };
}

function resolved(before, after, options) {
  const [writer, reader] = [before, after].map((fields) => schema("List", [array("v", REF(schema("Item", fields)))]));
  return (size) => {
    const input = repeated(uvarBytes(size), [0], size);
    return { input, read: () => pck.resolve(writer, reader, options).decode(input) };
  };
}

/** Objects without properties, in MessagePack or JSON, that are read by a schema of such fields. */
function foreign(fields, readBy) {
  const root = schema("List", [array("v", REF(schema("Item", fields)))]);
  return (size) => {
    const { input, value } = readBy === "JSON" ? emptyInJson(size) : emptyInMsgpack(size);
    const by = codec(root, { maps: "object" });
    const read = {
      check: () => by.check({ v: value() }),
      JSON: () => by.fromJSON({ v: value() }),
      standard: () => {
        const result = pck.standard(root)["~standard"].validate({ v: value() });
        if (result.issues !== undefined) throw Object.assign(new Error(), { code: "ERR_LIMIT_ELEMENTS", path: "$" });
        return result.value;
      },
    };
    return { input, read: read[readBy] };
  };
}

function emptyInMsgpack(size) {
  const { input, read } = msgpack([0x80])(size);
  return { input, value: read };
}

function emptyInJson(size) {
  const input = new TextEncoder().encode(`[${new Array(Math.floor(size / 3)).fill("{}").join()}]`);
  return { input, value: () => JSON.parse(new TextDecoder().decode(input)) };
}

const eight = (field) => Array.from({ length: 8 }, (_, i) => field(`f${i}`));
const lists = eight((name) => omitEmpty(array(`${name}s`, U8)));
const maps = eight((name) => omitEmpty(map(name, UTF8, U8)));
const largeNumbers = [255, ...Array.from({ length: 8 }, () => [255, 255, 255, 255, 15]).flat()];
const largeFloats = [255, ...Array.from({ length: 8 }, () => [0, 0, 0, 0, 0, 0, 0xf8, 0x3f]).flat()];
const optionalText = (name) => omitEmpty(utf8(name));
const hundred = Array.from({ length: 100 }, (_, i) => optionalText(`f${i}`));
const wide = (field) => Array.from({ length: 1400 }, (_, i) => field(`f${i}`));

/** By what they are made of. */
export const AMPLIFIERS = {
  "empty maps": msgpack([0x80]),
  "empty Maps": msgpack([0x80], { maps: "map" }),
  "empty maps, strict": msgpack([0x80], { strict: true }),
  "empty arrays": msgpack([0x90]),
  "empty binaries": msgpack([0xc4, 0]),
  "names of array indices": msgpack([0x81, 0xa4, ...Buffer.from("1023"), 0xc0]),
  "names of array indices, compat/msgpack-javascript": msgpack(
    [0x81, 0xa4, ...Buffer.from("1023"), 0xc0],
    {},
    compat.decode,
  ),
  "names of array indices, in parts": msgpack([0x81, 0xa4, ...Buffer.from("1023"), 0xc0], {}, inParts),
  "empty Maps of fidelity js, in parts": msgpack([0xd4, 98, 0x90], {}, inParts),
  "Maps of one": msgpack([0x81, 1, 1]),
  "unknown extensions": msgpack([0xc7, 0, 5], { unknownExtensions: "keep" }),
  "arrays of one": msgpack([0x91, 0]),
  "objects of one": msgpack([0x81, 0xa1, 0x61, 1]),
  "objects of a large index": msgpack([0x81, 0xa3, 0x39, 0x39, 0x39, 0]),
  "objects of the largest": msgpack([0x81, 0xa4, 0x31, 0x30, 0x32, 0x33, 0]),
  "objects of two indices": msgpack([0x82, 0xa4, 0x31, 0x30, 0x32, 0x33, 0, 0xa4, 0x32, 0x35, 0x30, 0x30, 0]),
  "objects of a large index, strict": msgpack([0x81, 0xa2, 0x39, 0x39, 0], { strict: true }),
  "objects of a large index, no code": msgpack([0x81, 0xa3, 0x39, 0x39, 0x39, 0], { codeGeneration: false }),
  "objects of a small index": msgpack([0x81, 0xa2, 0x31, 0x39, 0]),
  timestamps: msgpack([0xd6, 0xff, 0, 0, 0, 1]),
  sets: msgpack([0xd4, 97, 0x90], { fidelity: "js" }),
  regexps: msgpack([0xc7, 3, 99, 0x92, 0xa0, 0xa0], { fidelity: "js+regexp" }),
  errors: msgpack([0xc7, 5, 100, 0x94, 0xa0, 0xa0, 0xc0, 0xc0], { fidelity: "js" }),
  "typed arrays": msgpack([0xc7, 4, 101, 0x92, 0, 0xc4, 0], { fidelity: "js" }),
  nils: msgpack([0xc0]),
  floats: msgpack([0xca, 0x3f, 0x81, 0, 0]),
  "absent maps": structs(maps, [0]),
  "absent maps as objects": structs(maps, [0], { maps: "object" }),
  "absent maps, shared": structs(maps, [0], { absent: "shared" }),
  "absent lists": structs(lists, [0]),
  "absent typed arrays": structs(lists, [0], { typedArrays: true }),
  "absent bytes": structs(
    eight((name) => omitEmpty(bytes(name))),
    [0],
  ),
  "absent texts": structs(
    eight((name) => omitEmpty(utf8(name))),
    [0],
  ),
  "absent floats": structs(
    eight((name) => omitZero(f64(name))),
    [0],
    undefined,
    largeFloats,
  ),
  "absent integers that may be large": structs(
    eight((name) => omitZero(uvar(name))),
    [0],
    undefined,
    largeNumbers,
  ),
  "absent 64-bit integers": structs(
    eight((name) => omitZero(uvar64(name))),
    [0],
  ),
  "fields beyond what an object holds fast": structs(
    wide((name) => omitEmpty(utf8(name))),
    new Array(175).fill(0),
  ),
  "numbers beyond that": structs(
    wide((name) => omitZero(u32(name))),
    new Array(175).fill(0),
  ),
  "fields that are indices": structs([bool("999")], [0]),
  "fields that are indices, no code": structs([bool("999")], [0], { codeGeneration: false }),
  "fields that are two indices": structs([bool("1023"), bool("2500")], [0], { codeGeneration: false }),
  "maps as objects of a large index": listOfMaps(MAP(UTF8, U8), [1, 3, 0x39, 0x39, 0x39, 0]),
  "maps as objects of an enumeration": listOfMaps(MAP(pck.ENUMERATION("999", "b"), U8), [1, 0, 0]),
  "the same, no code": listOfMaps(MAP(pck.ENUMERATION("999", "b"), U8), [1, 0, 0], { codeGeneration: false }),
  "a container of fields that are indices": contained([bool("999")]),
  "fields that are indices, resolved": resolved([bool("a")], [bool("a"), omitEmpty(utf8("1023"))]),
  bools: structs(eight(bool), [0]),
  "lists of bools": zeros(BOOL, 8),
  "lists of nulls": zeros(nullable(U8), 8),
  "lists of lists": zeros(ARRAY(U8), 1),
  "lists of typed arrays": zeros(ARRAY(U8), 1, { typedArrays: true }),
  "lists of maps": zeros(MAP(UTF8, U8), 1),
  "lists of bytes": zeros(BYTES(), 1),
  "a container with its schema": contained(maps),
  "a container of many values": containedOneByOne(maps),
  "a container of many values without a count": containedOneByOne(
    Array.from({ length: 8 }, (_, i) => omitEmpty(bytes(`b${i}`))),
  ),
  "empty maps as structs of a hundred texts": foreign(hundred, "check"),
  "empty maps as structs of a thousand fields": foreign(wide(optionalText), "check"),
  "empty maps as structs of eight maps": foreign(maps, "check"),
  "the same, by a Standard Schema": foreign(hundred, "standard"),
  "empty objects of JSON as structs of a hundred texts": foreign(hundred, "JSON"),
  "what a newer schema adds": resolved([bool("a")], [bool("a"), ...lists, ...maps]),
};
