/** The table in docs/pck-evolution.md, "What you may change": each row has cases, and each case has a row. */
import { readFileSync } from "node:fs";
import * as p from "@moonpack/pck";
import { compare, type Readable, type SchemaInput, schema } from "@moonpack/pck";
import { expect, test } from "vitest";

type Answer = "yes" | "no" | "depends";
/** Old field, new field (null for none), whether new reads old, whether old reads new. */
type Case = readonly [old: p.Field | null, now: p.Field | null, newReadsOld: Answer, oldReadsNew: Answer];

const text = (field: p.Field) => p.withDefault(field as p.Field<"a", string, string, false>, "x");
const Optional = schema("T", p.bool("x"), p.omitZero(p.u8("y")));
const Arm = schema("Arm", p.u8("q"));
const one = p.enumeration("a", "x");
const two = p.enumeration("a", "x", "y");

/** Cases by the first words of their row. */
const ROWS: { readonly [row: string]: readonly Case[] } = {
  "another order of fields": [[p.union("a", { x: Arm }), p.union("a", { x: Arm }, "type"), "yes", "yes"]],
  "added field: optional": [
    [null, p.omitNull(p.u8("b")), "yes", "yes"],
    [null, p.bool("b"), "yes", "yes"],
    [null, p.withDefault(p.u8("b"), 1), "yes", "yes"],
    [null, p.ref("b", Optional), "yes", "yes"],
  ],
  "any other added field": [[null, p.u8("b"), "no", "yes"]],
  "removed field": [
    [p.u8("b"), null, "yes", "no"],
    [p.omitZero(p.u8("b")), null, "yes", "yes"],
  ],
  "renamed field": [
    [p.u8("a"), p.renamed(p.u8("b"), "a"), "yes", "no"],
    [p.omitZero(p.u8("a")), p.renamed(p.omitZero(p.u8("b")), "a"), "yes", "yes"],
  ],
  "added `omitZero` or": [
    [p.u8("a"), p.omitZero(p.u8("a")), "yes", "yes"],
    [p.utf8("a"), p.omitEmpty(p.utf8("a")), "yes", "yes"],
  ],
  "added `omitNull`": [
    [p.u8("a"), p.omitNull(p.u8("a")), "yes", "no"],
    [p.withDefault(p.u8("a"), 1), p.omitNull(p.u8("a")), "yes", "yes"],
    [p.omitZero(p.u8("a")), p.omitNull(p.u8("a")), "yes", "yes"],
  ],
  "removed `omitZero` or": [
    [p.omitZero(p.u8("a")), p.u8("a"), "yes", "yes"],
    [p.omitEmpty(p.utf8("a")), p.utf8("a"), "yes", "yes"],
  ],
  "removed `omitNull`": [
    [p.omitNull(p.u8("a")), p.u8("a"), "no", "yes"],
    [p.omitNull(p.u8("a")), p.withDefault(p.u8("a"), 1), "yes", "yes"],
  ],
  "integer to a wider range": [
    [p.u8("a"), p.i16("a"), "yes", "no"],
    [p.u32("a"), p.uvar("a"), "yes", "yes"],
    [p.map("a", p.U8, p.U8), p.map("a", p.U16, p.U32), "yes", "no"],
  ],
  "integer to float": [
    [p.u16("a"), p.f32("a"), "yes", "no"],
    [p.uvar("a"), p.f64("a"), "yes", "no"],
    [p.f32("a"), p.f64("a"), "yes", "no"],
    [p.u32("a"), p.f32("a"), "no", "no"],
    [p.u64("a"), p.f64("a"), "no", "no"],
  ],
  "bytes(n) to bytes": [
    [p.bytes("a", 3), p.bytes("a"), "yes", "no"],
    [p.ascii("a", 3), p.ascii("a"), "yes", "no"],
    [p.array("a", p.U8, 3), p.array("a", p.U8), "yes", "no"],
    [p.ascii("a"), p.utf8("a"), "yes", "no"],
    [p.array("a", p.ASCII(3)), p.array("a", p.nullable(p.UTF8)), "yes", "no"],
  ],
  "T to nullable(T)": [
    [p.array("a", p.U8), p.array("a", p.nullable(p.U8)), "yes", "no"],
    [p.map("a", p.U8, p.U8), p.map("a", p.U8, p.nullable(p.U8)), "yes", "no"],
  ],
  "added names of an enumeration": [
    [one, two, "yes", "depends"],
    [text(one), two, "yes", "yes"],
    [p.union("a", { x: Arm }), p.union("a", { x: Arm, y: Arm }), "yes", "depends"],
  ],
  "removed names or arms": [
    [two, one, "depends", "yes"],
    [two, text(one), "yes", "yes"],
  ],
  "another order of names or arms": [[two, p.enumeration("a", "y", "x"), "yes", "yes"]],
  "set or changed default": [
    [p.u8("a"), p.withDefault(p.u8("a"), 2), "yes", "yes"],
    [p.withDefault(p.u8("a"), 1), p.withDefault(p.u8("a"), 2), "yes", "yes"],
  ],
  "removed default": [[p.withDefault(p.u8("a"), 1), p.u8("a"), "yes", "yes"]],
  "anything else": [
    [p.utf8("a"), p.u8("a"), "no", "no"],
    [p.ref("a", Arm), p.union("a", { x: Arm }), "no", "no"],
    [p.bytes("a", 3), p.bytes("a", 4), "no", "no"],
  ],
};

const page = readFileSync(new URL("../../../docs/pck-evolution.md", import.meta.url), "utf8");
const table = page.slice(page.indexOf("| change | new reads old"), page.indexOf("Rules combine"));
const rows = [...table.matchAll(/^\| (?!change|---)([^|]+) \|/gm)].map(([, row = ""]) => row);

test("every row has its cases", () => {
  const begins = Object.keys(ROWS);
  expect(rows.map((row) => begins.filter((begin) => row.startsWith(begin)).length)).toEqual(rows.map(() => 1));
  expect(begins.length).toBe(rows.length);
});

/** Returns the verdict of all changes together. */
function answer(answers: readonly Readable[]): Answer {
  return answers.includes("no") ? "no" : answers.includes("depends") ? "depends" : "yes";
}

test.each(Object.entries(ROWS))("%s", (_, cases) => {
  for (const [old, now, newReadsOld, oldReadsNew] of cases) {
    const [from, to] = [old, now].map((field) => schema("S", p.u8("first"), p.utf8("last"), [field]) as SchemaInput);
    const changes = compare(from!, to!);
    expect([
      answer(changes.map((change) => change.newReadsOld)),
      answer(changes.map((change) => change.oldReadsNew)),
    ]).toEqual([newReadsOld, oldReadsNew]);
  }
});

test("fields in another order", () => {
  const changes = compare(schema(p.u8("a"), p.utf8("b")), schema(p.utf8("b"), p.u8("a")));
  expect(changes.map(({ newReadsOld, oldReadsNew }) => [newReadsOld, oldReadsNew])).toEqual([["yes", "yes"]]);
});
