/**
 * A process that lives for weeks: a million new shapes, or a tenth of them in a share, must neither slow down what comes later, nor
 * grow without bounds. All of it is counted, not timed.
 */

import { isWhole } from "@moonpack/harness/effort.ts";
import { Decoder, Encoder, encode } from "moonpack";
import { expect, test } from "vitest";
import { GrowingKeyTable } from "../../src/msgpack/read/key-table.ts";

const NEW_SHAPES = isWhole ? 1_000_000 : 100_000;
const IN_A_MESSAGE = 1000;
const FAMILIAR = 10;

/** Objects of one of ten shapes. */
const familiar = (i: number) => ({ [`first${i % FAMILIAR}`]: i, name: `n${i}`, at: i / 3 });
const rows = (from: number) => Array.from({ length: IN_A_MESSAGE }, (_, i) => familiar(from + i));
/** Objects that have two keys each that never recur. */
const strange = (from: number) =>
  Array.from({ length: IN_A_MESSAGE }, (_, i) => ({ [`a${from + i}`]: 1, [`b${from + i}`]: "x" }));

/** The change of the counters by one message. */
function change<S extends object>(of: { stats(): S }, act: () => void): { [K in keyof S]: number } {
  const before = of.stats() as Record<string, number>;
  act();
  const after = of.stats() as Record<string, number>;
  return Object.fromEntries(Object.keys(after).map((key) => [key, after[key]! - before[key]!])) as {
    [K in keyof S]: number;
  };
}

for (const codeGeneration of [true, false]) {
  test(`after ${NEW_SHAPES.toLocaleString("en")} new shapes ten are read as before, code generation ${codeGeneration ? "on" : "off"}`, () => {
    const decoder = new Decoder({ codeGeneration });
    const messages = Array.from({ length: 150 }, (_, i) => encode(rows(i * IN_A_MESSAGE)));
    for (const message of messages) decoder.decode(message);
    const wire = encode(rows(0));
    const settled = change(decoder, () => decoder.decode(wire));
    if (codeGeneration) expect(settled.shapeHits).toBe(IN_A_MESSAGE);
    else expect(settled.keyHits).toBe(3 * IN_A_MESSAGE);
    for (let i = 0; i < NEW_SHAPES; i += IN_A_MESSAGE) decoder.decode(encode(strange(i)));
    // The generated readers were released by the other shapes. These messages are read before the readers are back.
    for (const message of messages) decoder.decode(message);
    const returned = change(decoder, () => decoder.decode(wire));
    expect({ ...returned, shapesCompiled: 0 }).toEqual({ ...settled, shapesCompiled: 0 });
    expect(decoder.stats().shapesCompiled).toBeLessThan(100);
  });
}

test("hot shapes lose their generated readers to others when they do not occur any more", () => {
  const decoder = new Decoder();
  const some = (shape: number) =>
    encode(Array.from({ length: IN_A_MESSAGE }, (_, i) => ({ [`k${shape + (i % 30)}`]: i, text: "x", more: null })));
  // Two of thirty may share a place: only one of them can have a reader.
  for (let i = 0; i < 100; i++) decoder.decode(some(0));
  expect(change(decoder, () => decoder.decode(some(0))).shapeHits).toBeGreaterThan(0.9 * IN_A_MESSAGE);
  for (let i = 0; i < 400; i++) decoder.decode(some(1000));
  expect(change(decoder, () => decoder.decode(some(1000))).shapeHits).toBeGreaterThan(0.9 * IN_A_MESSAGE);
});

test(`after ${NEW_SHAPES.toLocaleString("en")} new shapes ten are expected by the encoder as before`, () => {
  const encoder = new Encoder();
  // Each of the ten has its place: the keys in it are expected there.
  const ten = Object.fromEntries(Array.from({ length: FAMILIAR }, (_, i) => [`place${i}`, familiar(i)]));
  const keys = FAMILIAR * 4;
  for (let i = 0; i < 3; i++) encoder.encode(ten);
  expect(change(encoder, () => encoder.encode(ten)).keyHits).toBe(keys);
  for (let i = 0; i < NEW_SHAPES; i += IN_A_MESSAGE) encoder.encode(strange(i));
  for (let i = 0; i < 5000; i++) encoder.encode(ten);
  expect(change(encoder, () => encoder.encode(ten))).toMatchObject({ keyHits: keys, keyMisses: 0 });
  expect(encoder.encode(rows(0))).toEqual(encode(rows(0)));
});

test("an encoder that has given up looks for nothing, and counts no keys", () => {
  const encoder = new Encoder();
  for (let i = 0; i < 3; i++) encoder.encode(strange(i * IN_A_MESSAGE));
  expect(change(encoder, () => encoder.encode(familiar(1)))).toMatchObject({ keyHits: 0, keyMisses: 0 });
});

test("an encoder that has seen many kinds expects the keys of large messages within a few of them", () => {
  const encoder = new Encoder();
  // Each comes twice in a row, so that its key is kept: the table is full after them.
  const pairs = (from: number) =>
    Array.from({ length: IN_A_MESSAGE }, (_, i) => ({ [`p${from + (i >> 1)}`]: 1, [`q${from + (i >> 1)}`]: "x" }));
  for (let i = 0; i < 20; i++) encoder.encode(pairs(i * IN_A_MESSAGE));
  const records = Array.from({ length: 10_000 }, (_, i) => ({ id: i, x: i / 3, y: i / 7, name: "n" }));
  for (let i = 0; i < 10; i++) encoder.encode(records);
  expect(change(encoder, () => encoder.encode(records)).keyHits).toBeGreaterThan(39_990);
});

test("the key table keeps 16,384 keys at most, whatever comes", () => {
  const table = new GrowingKeyTable();
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  const ask = (text: string) => {
    bytes[0] = 0xa0 | text.length;
    for (let i = 0; i < text.length; i++) bytes[i + 1] = text.charCodeAt(i);
    const known = table.find(bytes, view, 0, text.length + 1);
    if (known === null) table.learn(view, 0, text.length + 1, text);
    return known;
  };
  for (let i = 0; i < 200_000; i++) ask(`key ${i}`);
  let known = 0;
  const { hits } = table;
  for (let i = 0; i < 200_000; i++) if (ask(`key ${i}`) === `key ${i}`) known++;
  expect(known).toBe(table.hits - hits);
  expect(known).toBeGreaterThan(8000);
  expect(known).toBeLessThanOrEqual(16_384);
});
