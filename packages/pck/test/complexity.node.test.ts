/**
 * Schema documents are hostile input: all work on a document is linear in its text, whatever its structs refer to. The work of picks is
 * linear in their paths, and in the fields of structs. Work is counted in executed blocks of the library's code (harness/work.ts), not timed. The exponent over sizes 16 times
 * apart stays below 1.2.
 */

import { isWhole } from "@moonpack/harness/effort.ts";
import { startCounting } from "@moonpack/harness/work.ts";
import type { SchemaDocument } from "@moonpack/pck";
import { beforeAll, describe, expect, test } from "vitest";

/** The sizes of small and of large documents. */
const [SMALL, LARGE] = isWhole ? [50, 800] : [20, 320];

type Pck = typeof import("@moonpack/pck");
type Emit = typeof import("@moonpack/pck/emit");
type Pick = typeof import("@moonpack/pck/pick");

let emit: Emit;
let picks: Pick;
let count: Awaited<ReturnType<typeof startCounting>>;
let pck: Pck;
beforeAll(async () => {
  count = await startCounting();
  emit = await import("@moonpack/pck/emit");
  picks = await import("@moonpack/pck/pick");
  pck = await import("@moonpack/pck"); // code that was compiled before is not counted
});

type Fields = readonly object[];
const many = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const optional = (i: number) => ({ name: `f${i}`, type: "u8", omit: ["zero"] });
const documentOf = (structs: { readonly [name: string]: Fields }): SchemaDocument =>
  ({
    pck: 1,
    root: "R",
    structs: Object.fromEntries(Object.entries(structs).map(([name, fields]) => [name, { fields }])),
  }) as unknown as SchemaDocument;

/** A chain of structs: the fields of each have a type that refers to the next one. */
function levels(
  n: number,
  typesOf: (next: string) => readonly unknown[],
  omit: readonly string[] = [],
): SchemaDocument {
  const rows = many(n, (i) => [
    i === 0 ? "R" : `S${i}`,
    i === n - 1 ? [optional(0)] : typesOf(`S${i + 1}`).map((type, k) => ({ name: `f${k}`, type, omit })),
  ]);
  return documentOf(Object.fromEntries(rows) as { readonly [name: string]: Fields });
}

const NONE = documentOf({ R: [] });

/** Makes a document of a given size. */
const DOCUMENTS: { readonly [what: string]: (n: number) => SchemaDocument } = {
  "defaults of a struct, as many as it has fields": (n) =>
    documentOf({
      R: many(n, (i) => ({ name: `d${i}`, type: { ref: "S" }, default: {} })),
      S: many(n, optional),
    }),
  "defaults in lists, maps and unions": (n) =>
    documentOf({
      R: [
        { name: "list", type: { array: { ref: "S" } }, default: many(n, () => ({})) },
        { name: "map", type: { map: ["u32", { ref: "S" }] }, default: many(n, (i) => [i, {}]) },
        {
          name: "unions",
          type: { array: { union: many(n, (i) => [`a${i}`, "S"]) } },
          default: many(n, (i) => ({ kind: `a${i}` })),
        },
      ],
      S: many(n, optional),
    }),
  "arms of one struct, as many as it has fields": (n) =>
    documentOf({
      R: [{ name: "u", type: { union: many(n, (i) => [`a${i}`, "S"]) } }],
      S: many(n, optional),
    }),
  "fields whose names begin alike, so that their variables count up": (n) =>
    documentOf({ R: many(n, (i) => ({ ...optional(i), name: `${"long".repeat(16)}${i}` })) }),
  "every struct refers to the next one twice": (n) => levels(n, (ref) => [{ ref }, { ref }]),
  "every struct may refer to the next one three times": (n) =>
    levels(n, (ref) => [{ ref }, { ref }, { ref }], ["null"]),
  "lists and maps of the next one": (n) => levels(n, (ref) => [{ array: { ref } }, { map: ["u8", { ref }] }]),
  "arms that are all the next one": (n) =>
    levels(n, (ref) => [
      {
        union: [
          ["a", ref],
          ["b", ref],
        ],
      },
      { array: { union: [["a", ref]] } },
    ]),
};

describe("work is linear in the document", () => {
  for (const [what, make] of Object.entries(DOCUMENTS)) {
    test(what, async () => {
      const acts: Record<string, (doc: SchemaDocument) => unknown> = {
        fromDocument: (doc) => pck.fromDocument(doc),
        // Generated code has a separate limit: 500,000 characters.
        codec: (doc) => pck.codec(doc, { codeGeneration: false }),
        fingerprint: (doc) => pck.fingerprint(doc),
        "read by one that has nothing of it": (doc) => pck.resolve(doc, NONE),
        "read as something else": (doc) => refusedOrNot(() => pck.resolve(NONE, doc)),
      };
      if (!what.startsWith("defaults")) acts["compare"] = (doc) => pck.compare(doc, doc);
      // Each arm has its own function with the struct's fields in it: the emitted text is quadratic.
      if (!/arms of one struct|unions/.test(what))
        acts["emit"] = (doc) => emit.emit(pck.fromDocument(doc), { target: "ts" });
      // Structs that contain the next one twice, and so on, would be larger than Go's memory: `emitGo` throws.
      if (!what.includes("refers to the next one twice"))
        acts["emitGo"] = (doc) => emit.emitGo(pck.fromDocument(doc), { package: "p" });
      for (const [act, run] of Object.entries(acts)) {
        const [small, large] = [make(SMALL), make(LARGE)];
        const grown = (await count(() => run(large))) / (await count(() => run(small)));
        expect(Math.log(grown) / Math.log(16), act).toBeLessThan(1.2);
      }
    });
  }
});

test("an added struct that would be made of 2^30 others: resolve throws", () => {
  const doc = levels(30, (ref) => [{ ref }, { ref }]);
  expect(() => pck.resolve(NONE, doc)).toThrow(expect.objectContaining({ code: "ERR_SCHEMA" }));
  const small = levels(10, (ref) => [{ ref }, { ref }]);
  const value = pck.resolve<unknown, never>(NONE, small as never).decode(new Uint8Array(0));
  expect(JSON.stringify(value).match(/"f0":0/g)?.length).toBe(512);
});

test("cycles of structs with too many pairs: resolve throws", () => {
  const circle = (n: number) =>
    documentOf(
      Object.fromEntries(
        many(n, (i) => [
          i === 0 ? "R" : `S${i}`,
          [{ name: "n", type: { ref: i === n - 1 ? "R" : `S${i + 1}` }, omit: ["null"] }],
        ]),
      ) as { readonly [name: string]: Fields },
    );
  for (const act of [pck.resolve, pck.compare] as const) {
    expect(() => act(circle(701), circle(700))).toThrow(expect.objectContaining({ code: "ERR_SCHEMA" }));
    act(circle(41), circle(40));
  }
});

test("JSON of a union with very many arms: an arm is found by one lookup", async () => {
  const works: number[] = [];
  for (const n of [100, 10_000]) {
    const arms = many(n, (i) => [`a${i}`, "S"] as const);
    const doc = documentOf({ R: [{ name: "list", type: { array: { union: arms } } }], S: [optional(0)] });
    const codec = pck.codec(doc, { codeGeneration: false });
    const json = { list: many(200, () => ({ kind: `a${n - 1}`, f0: 1 })) };
    codec.toJSON(codec.fromJSON(json) as never); // what is made once
    works.push(await count(() => codec.toJSON(codec.fromJSON(json) as never)));
  }
  expect(works[1]! / works[0]!).toBeLessThan(1.2);
});

test("Go code with more lines than a call may have arguments", () => {
  const doc = documentOf({ R: many(20_000, (i) => ({ name: `f${i}`, type: "utf8", omit: ["empty"] })) });
  expect(emit.emitGo(pck.fromDocument(doc), { package: "p" })[0]!.text.length).toBeGreaterThan(1_000_000);
});

function refusedOrNot(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof pck.MoonpackError) || error.code !== "ERR_SCHEMA") throw error;
  }
}

/** Numbers of fields and of paths, from a size. */
const PICKS: { readonly [what: string]: (n: number) => readonly [fields: number, paths: number] } = {
  paths: (n) => [20, 4 * n],
  fields: (n) => [n, 20],
};

describe("work of picks is linear", () => {
  for (const [what, sizes] of Object.entries(PICKS)) {
    test(`in ${what}`, async () => {
      const make = (n: number) => {
        const [fields, paths] = sizes(n);
        const doc = documentOf({
          R: [
            { name: "row", type: { ref: "S" }, omit: ["null"] },
            { name: "rows", type: { array: { ref: "S" } } },
            { name: "u", type: { union: [["a", "S"]] } },
          ],
          S: [...many(fields, optional), { name: "list", type: { array: "u8" }, omit: ["empty"] }],
        });
        const places = ["row", "rows.*", "u"];
        const names = many(paths, (i) => `${places[i % 3]}.${i % 5 === 0 ? "list.*" : `f${i % fields}`}`);
        const codec = pck.codec<unknown, unknown>(doc, { codeGeneration: false });
        // Whole values, from which the paths take theirs.
        const whole = picks.pick(codec as never, [...names, ...places]);
        const row = Object.fromEntries([...many(fields, (i) => [`f${i}`, i % 2]), ["list", [1, 2]]]);
        const bytes = codec.encode({ row, rows: [row, row], u: { kind: "a", ...row } });
        const picker = picks.pick(codec as never, names);
        return { doc, codec, names, picker, whole, bytes };
      };
      type Made = ReturnType<typeof make>;
      const emitted = ({ names }: Made) => ({
        A: { paths: Object.fromEntries(names.map((name, i) => [`p${i}`, name])) },
      });
      const acts: Record<string, (made: Made) => unknown> = {
        pick: ({ codec, names }) => picks.pick(codec as never, names),
        decode: ({ picker, bytes }) => picker.decode(bytes),
        "decode beside whole values": ({ whole, bytes }) => whole.decode(bytes),
        emit: (made) => emit.emit(pck.fromDocument(made.doc), { target: "ts", picks: emitted(made) }),
        emitGo: (made) => emit.emitGo(pck.fromDocument(made.doc), { package: "p", picks: emitted(made) }),
      };
      const [small, large] = [make(SMALL), make(LARGE)];
      for (const [act, run] of Object.entries(acts)) {
        const grown = (await count(() => run(large))) / (await count(() => run(small)));
        expect(Math.log(grown) / Math.log(16), act).toBeLessThan(1.2);
      }
    });
  }
});
