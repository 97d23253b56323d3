/** The parts of the suite schemas: inferred schemas, the order of messages, and types with every kind of field. */
import { protobuf as version8 } from "@moonpack/protobufjs-8";
import { describe, expect, test } from "vitest";
import { Work } from "../../../src/suites/schemas/cases.ts";
import { pckCases, storedKinds } from "../../../src/suites/schemas/pck/cases.ts";
import { conform } from "../../../src/suites/schemas/pck/conform.ts";
import { inferSchema } from "../../../src/suites/schemas/pck/infer.ts";
import { outcomeOf, protobufCases } from "../../../src/suites/schemas/protobuf/cases.ts";
import { MESSAGES, schemaText, TYPES } from "../../../src/suites/schemas/protobuf/schema.ts";
import { schemaSequence } from "../../../src/suites/schemas/schema-order.ts";

describe("an inferred schema", () => {
  test("has the types of all values of a place", () => {
    const documents = [
      { id: 1, at: -5, ratio: 1, big: 2 ** 40, name: "a", list: [1, null], open: true, any: 1, none: null, empty: {} },
      { id: 2 ** 31, at: 5, ratio: 0.5, big: 1, name: null, list: [], any: "text", none: null, empty: {} },
    ];
    const schema = inferSchema("kind", documents);
    expect(schema.structs).toEqual({
      kind: {
        fields: [
          { name: "id", type: "uvar" },
          { name: "at", type: "ivar" },
          { name: "ratio", type: "f64" },
          { name: "big", type: "uvar64" },
          { name: "name", type: "utf8", omit: ["null"] },
          { name: "list", type: { array: { nullable: "uvar" } } },
          { name: "open", type: "bool" },
          { name: "any", type: "utf8" },
        ],
      },
    });
    expect(conform(schema, { ref: "kind" }, documents[1]!)).toEqual({
      id: 2 ** 31,
      at: 5,
      ratio: 0.5,
      big: 1,
      name: null,
      list: [],
      open: false,
      any: "text",
    });
    expect(conform(schema, { ref: "kind" }, documents[0]!)).toMatchObject({ any: "1", list: [1, null] });
  });

  test("has maps for objects whose keys do not recur, and enumerations for few texts", () => {
    const documents = Array.from({ length: 40 }, (_, i) => ({
      state: i % 2 === 0 ? "open" : "closed",
      votes: { [`user${i}`]: i },
      item: { name: `item ${i}` },
    }));
    expect(inferSchema("kind", documents).structs).toEqual({
      kind: {
        fields: [
          { name: "state", type: { enumeration: ["open", "closed"] } },
          { name: "votes", type: { map: ["utf8", "uvar"] } },
          { name: "item", type: { ref: "kind.item" } },
        ],
      },
      "kind.item": { fields: [{ name: "name", type: "utf8" }] },
    });
  });
});

test("codecs of 30 kinds read what they have written", () => {
  const kinds = storedKinds();
  expect(new Set(kinds.map(({ id }) => id)).size).toBe(30);
  for (const engine of ["generated", "closures", "json"] as const) {
    const work = new Work(pckCases(kinds, engine)); // throws otherwise
    expect(work.sizes().every((size) => size > 0)).toBe(true);
    for (const operation of ["encode", "decode"] as const) {
      expect(work.take({ operation, schemas: [0, 29, 7, 7] }).micros).toBeGreaterThan(0);
    }
  }
});

test("by turns, every schema comes once in a round; by Zipf, some come more often", () => {
  const turns = schemaSequence("turns", 30, 90, 1);
  for (let round = 0; round < 3; round++) expect(new Set(turns.slice(round * 30, round * 30 + 30)).size).toBe(30);
  const counts = new Array<number>(30).fill(0);
  for (const schema of schemaSequence("zipf", 30, 30_000, 1)) counts[schema]!++;
  const sorted = counts.sort((a, b) => b - a);
  expect(sorted[0]! / sorted[9]!).toBeGreaterThan(7);
  expect(sorted[29]).toBeGreaterThan(100);
});

describe("message types", () => {
  test("have every type of protobuf.js, packed and not, in a map, a oneof and a group", () => {
    const text = schemaText();
    const missing = Object.keys(version8.types.basic).filter((type) => !text.includes(`optional ${type} `));
    expect(missing).toEqual([]);
    const unpacked = Object.keys(version8.types.packed).filter((type) => !text.includes(`repeated ${type} `));
    expect(unpacked).toEqual([]);
    for (const part of ["repeated int32 ", "repeated bytes ", "map<string, Person>", "oneof ", "group ", "Color "]) {
      expect(text).toContain(part);
    }
  });

  test.each([
    8, 7,
  ] as const)("protobuf.js %i with our Writer and Reader gives what it gives without", async (version) => {
    const plain = outcomeOf(await protobufCases(version, false, "types"));
    const cases = await protobufCases(version, true, "types");
    expect(cases).toHaveLength(TYPES);
    expect(cases.reduce((sum, { values }) => sum + values.length, 0)).toBe(MESSAGES);
    expect(outcomeOf(cases)).toEqual(plain);
  });
});
