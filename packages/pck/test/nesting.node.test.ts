/**
 * Nesting up to 4,096 levels: no overflow of a usual stack, of half of it, or of one that the caller has nearly
 * exhausted.
 */

import { fault } from "@moonpack/harness/caught.ts";
import { childResult } from "@moonpack/harness/child.ts";
import * as pck from "@moonpack/pck";
import { codec } from "@moonpack/pck";
import { describe, expect, test } from "vitest";

/**
 * Recursive schemas, as code for a child process: the value around an inner one, the innermost value, the levels per
 * step.
 */
const SCHEMAS = `
  import * as pck from "@moonpack/pck";
  const { array, ARRAY, bool, map, nullable, omitNull, omitZero, ref, REF, schema, u8, union, utf8, UTF8 } = pck;
  const End = schema();
  const Ref = schema("Ref", omitNull(ref("v", () => Ref)));
  const List = schema("List", array("v", REF(() => List)));
  const Pairs = schema("Pairs", map("v", UTF8, REF(() => Pairs)));
  const Nullable = schema("Nullable", map("v", UTF8, nullable(REF(() => Nullable))));
  const One = schema("One", array("v", nullable(REF(() => One)), 1));
  const Arms = schema("Arms", union("v", { end: End, more: () => Arms }));
  const Large = schema("Large", u8("a"), utf8("t"), bool("b"), omitZero(u8("o")), omitNull(ref("v", () => Large)));
  const Lists = schema("Lists", array("v", ARRAY(ARRAY(ARRAY(ARRAY(ARRAY(REF(() => Lists))))))));
  const cases = [
    ["Ref", Ref, (v) => ({ v }), { v: null }, 1],
    ["List", List, (v) => ({ v: [v] }), { v: [] }, 2],
    ["Pairs", Pairs, (v) => ({ v: new Map([["k", v]]) }), { v: new Map() }, 2],
    ["Nullable", Nullable, (v) => ({ v: new Map([["k", v]]) }), { v: new Map() }, 2],
    ["One", One, (v) => ({ v: [v] }), { v: [null] }, 2],
    ["Arms", Arms, (v) => ({ v: { kind: "more", ...v } }), { v: { kind: "end" } }, 1],
    ["Large", Large, (v) => ({ a: 1, t: "x", b: true, o: 1, v }), { a: 1, t: "x", b: true, o: 1, v: null }, 1],
    ["Lists", Lists, (v) => ({ v: [[[[[[v]]]]]] }), { v: [] }, 7],
  ];
`;

const DEEP = `${SCHEMAS}
  const failures = [];
  for (const [name, schema, step, end, levels] of cases) {
    for (const [maxDepth, codeGeneration] of [[512, true], [512, false], [4096, false]]) {
      const codec = pck.codec(schema, { maxDepth, codeGeneration });
      let value = end;
      const steps = Math.floor((maxDepth - 2) / levels);
      for (let i = 0; i < steps; i++) value = step(value);
      const attempt = (what, act) => {
        try { return act(); } catch (error) { failures.push([name, maxDepth, codeGeneration, what, error.code ?? "", error.message.slice(0, 99)].join(" ")); }
      };
      const bytes = attempt("encode", () => codec.encode(value));
      if (bytes === undefined) continue;
      const back = attempt("decode", () => codec.decode(bytes));
      if (back !== undefined) attempt("again", () => { if (codec.size(back) !== bytes.length) throw new Error("differs"); });
      const json = attempt("toJSON", () => codec.toJSON(value));
      if (json !== undefined) attempt("fromJSON", () => codec.fromJSON(json));
      const deeper = step(step(value));
      const refused = (what, act) => {
        try { act(); failures.push(name + " " + what + ": nothing was refused"); }
        catch (error) { if (error.code !== "ERR_LIMIT_DEPTH") failures.push(name + " " + what + " too deep: " + error.code); }
      };
      refused("encode", () => codec.encode(deeper));
      if (maxDepth === 512) refused("decode", () => codec.decode(pck.codec(schema, { maxDepth: 600 }).encode(deeper)));
    }
  }
  console.log(JSON.stringify(failures));
`;

describe("maxDepth 4,096", () => {
  test("fits into the usual stack", () => expect(childResult<string[]>(DEEP)).toEqual([]));
  test("fits into half of it", () => expect(childResult<string[]>(DEEP, ["--stack-size=492"])).toEqual([]));
});

test("called with the stack nearly exhausted: a value or ERR_LIMIT_DEPTH", () => {
  const seen = childResult<Record<string, number>>(`${SCHEMAS}
    let value = { v: [] };
    for (let i = 0; i < 200; i++) value = { v: [value] };
    const lists = pck.codec(List, { codeGeneration: false });
    const bytes = lists.encode(value);
    const seen = {};
    let tries = 0;
    function dive() {
      try { dive(); } catch (error) { if (!(error instanceof RangeError)) throw error; }
      if (tries++ > 3000) return;
      for (const act of [() => lists.decode(bytes), () => lists.encode(value)]) {
        let code = "value";
        try { act(); } catch (error) { code = error.code ?? (error instanceof RangeError ? "bare RangeError" : String(error)); }
        seen[code] = (seen[code] ?? 0) + 1;
      }
    }
    dive();
    lists.decode(lists.encode(value));
    console.log(JSON.stringify(seen));`);
  expect(seen.value ?? 0).toBeGreaterThan(0);
  const odd = Object.keys(seen).filter((code) => !["value", "ERR_LIMIT_DEPTH", "bare RangeError"].includes(code));
  expect(odd).toEqual([]);
  // Closest to the end, the call into the codec overflows itself: the caller's own error.
  expect(seen["bare RangeError"] ?? 0).toBeLessThan(500);
});

describe("cyclic values throw ERR_LIMIT_DEPTH", () => {
  interface Tree {
    children: Tree[];
    next: Tree | null;
  }
  const Tree: pck.Schema<Tree> = pck.schema(
    "Tree",
    pck.array(
      "children",
      pck.REF(() => Tree),
    ),
    pck.omitNull(pck.ref("next", () => Tree)),
  );
  for (const maxDepth of [1, 2, 512, 4096]) {
    test(`of ${maxDepth}`, () => {
      const trees = codec(Tree, { maxDepth });
      const list: Tree = { children: [], next: null };
      list.children.push(list);
      const ring: Tree = { children: [], next: null };
      ring.next = { children: [], next: ring };
      for (const [value, step] of [
        [list, ".children[0]"],
        [ring, ".next"],
      ] as const) {
        const { code, path } = fault(() => trees.encode(value));
        expect(code).toBe("ERR_LIMIT_DEPTH");
        expect(String(path).startsWith("$.")).toBe(true);
        if (maxDepth > 2) expect(String(path).startsWith(`$${step}`)).toBe(true);
      }
    });
  }
});
