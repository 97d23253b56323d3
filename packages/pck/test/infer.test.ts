/** Schemas of samples: every sample without a problem comes back from the codec of its schema. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import { codec, fromDocument, type SchemaDocument } from "@moonpack/pck";
import { infer } from "@moonpack/pck/infer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fits } from "./harness/fits.ts";

/** The fields of the root: their types and flags. Numbers have the narrowest type. */
function fields(samples: readonly unknown[]): Record<string, unknown> {
  const { document, problems } = infer(samples, { headroom: 1 });
  expect(problems).toEqual([]);
  return typesOf(document, document.root);
}

function typesOf(document: SchemaDocument, struct: string): Record<string, unknown> {
  return Object.fromEntries(
    document.structs[struct]!.fields.map(({ name, type, omit }) => [name, omit === undefined ? type : [type, ...omit]]),
  );
}

/** Samples with one field. */
function of(values: readonly unknown[]): Record<string, unknown>[] {
  return values.map((x) => ({ x }));
}

/** An object that several samples hold. */
const SHARED = { a: 1, b: "x" };

function typeOf(values: readonly unknown[]): unknown {
  return fields(of(values)).x;
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("numbers take the narrowest type that holds all, without headroom", () => {
  test.each<[string, readonly unknown[], unknown]>([
    ["u8", [0, 9, 255], "u8"],
    ["i8", [-128, 127], "i8"],
    ["a varint where most are small", [1, 2, 3, 4, 5, 256], "uvar"],
    ["u16", [30_000, 40_000, 65_535], "u16"],
    ["u32", [3e9, 4e9], "u32"],
    ["i32", [-1e9, 1e9], "i32"],
    ["ivar", [-1, 1, 2, 3, 4, 300], "ivar"],
    ["beyond 32 bits a float that is exact", [1_700_000_000_000], "f64"],
    ["bigints", [2n ** 63n], "u64"],
    ["bigints and integers", [2n ** 62n, -(2n ** 62n), 2 ** 53 - 1], "i64"],
    ["small bigints", [1n, 2n], "uvar64"],
    ["a fraction", [1, 0.5], "f64"],
    ["-0", [1, -0], "f64"],
    ["NaN", [1, Number.NaN], "f64"],
    ["fractions that are single by nature", range(200).map((i) => Math.fround(Math.sqrt(i + 2))), "f32"],
  ])("%s", (_, values, type) => expect(typeOf(values)).toEqual(type));
});

describe("integers have headroom for larger ones", () => {
  test.each<[string, readonly unknown[], number | undefined, unknown]>([
    ["an id", [1], undefined, "uvar"],
    ["ids", [1, 2, 3], undefined, "uvar"],
    ["nothing but 0", [0, 0], undefined, ["uvar", "zero"]],
    ["what may be a byte", [0, 9, 255], undefined, "uvar"],
    ["small and negative", [-1, 1], undefined, "ivar"],
    ["seconds since 1970", [1_700_000_000], undefined, "u32"],
    ["close to 32 bits", [3e9], undefined, "f64"],
    ["close to 31 bits", [-1_500_000_000], undefined, "f64"],
    ["ten times a byte", [200, 255], 10, "u16"],
    ["no headroom", [200, 255], 1, "u8"],
    ["any headroom", [1], Infinity, "uvar"],
  ])("%s", (_, values, headroom, type) => {
    const { document } = infer(of(values), headroom === undefined ? {} : { headroom });
    expect(typesOf(document, "Root").x).toEqual(type);
  });

  test("keys of Maps, unless they would be no keys", () => {
    const keyOf = (key: number) => typesOf(infer([{ x: new Map([[key, "a"]]) }]).document, "Root").x;
    expect(keyOf(7)).toEqual({ map: ["uvar", "utf8"] });
    expect(keyOf(4e9)).toEqual({ map: ["u32", "utf8"] });
  });
});

describe("presence", () => {
  test("a property that is null or missing is optional", () => {
    expect(
      fields([
        { a: "x", b: 1 },
        { a: null, b: 2, c: [1] },
      ]),
    ).toEqual({
      a: ["utf8", "null"],
      b: "u8",
      c: [{ array: "u8" }, "null"],
    });
  });

  test("what is mostly empty or 0 costs a bit then", () => {
    expect(
      fields([
        { a: "", b: 0, c: [] },
        { a: "x", b: 1, c: [1] },
      ]),
    ).toEqual({
      a: ["utf8", "empty"],
      b: ["u8", "zero"],
      c: [{ array: "u8" }, "empty"],
    });
  });

  test("elements that are null are nullable", () => {
    expect(typeOf([[1, null], [2]])).toEqual({ array: { nullable: "u8" } });
  });

  test("a boolean that is missing is a problem", () => {
    const { document, problems } = infer([{ on: true }, {}]);
    expect(problems).toEqual([
      { path: "$.on", message: "1 of 2 objects have no value, but a bool is never absent: fill in false" },
    ]);
    // The schema holds the rest of every sample.
    expect(typesOf(document, "Root")).toEqual({});
    comesBack([{}], document);
  });
});

describe("text", () => {
  test("few values that recur are an enumeration", () => {
    expect(typeOf(["open", "done", "open", "done", "open", "done", "open", "done"])).toEqual({
      enumeration: ["open", "done"],
    });
    expect(typeOf(["open", "done", "open", "done"])).toBe("utf8");
    expect(typeOf(["a", "a", "a", "a", "a", "a", "a", "b"])).toBe("utf8");
    expect(typeOf(["a", "a", "a", "a", "a", "a", "a", "a"])).toBe("utf8");
  });

  test.each([
    ["0b6c1a3e-3f0e-4b7c-9a53-0c6d2d1f4a11", "Always a UUID in the samples."],
    ["2026-11-24", "Always a date (YYYY-MM-DD) in the samples."],
    ["2026-11-24T10:00:00.5Z", "Always a date and time (ISO 8601) in the samples."],
    ["-12.50", "Always a number as text in the samples."],
    ["12 of them", undefined],
  ])("%s: the comment names the pattern", (text, doc) => {
    const { document } = infer(of([text, text]));
    expect(document.structs.Root!.fields[0]).toEqual({
      name: "x",
      type: "utf8",
      ...(doc === undefined ? {} : { doc }),
    });
  });
});

describe("objects", () => {
  test("are structs, named after their field; equal ones are one", () => {
    const { document } = infer([{ lines: [{ item: { id: 1 } }], other: { id: 2 }, more: { item: { id: 3 }, n: 1 } }], {
      name: "Order",
    });
    expect(Object.keys(document.structs)).toEqual(["Order", "Line", "Other", "More"]);
    expect(typesOf(document, "Line")).toEqual({ item: { ref: "Other" } });
    expect(typesOf(document, "More").item).toEqual({ ref: "Other" });
    expect(document.root).toBe("Order");
  });

  test("with the same properties are one struct, which holds the numbers of all", () => {
    const samples = [
      { from: { lat: 1.5, lng: 2 }, to: { lng: 40, lat: 3 }, via: [{ lat: 1, lng: -7 }] },
      { from: { lat: 2, lng: 2 }, to: { lat: 3, lng: 4 }, via: [] },
    ];
    const { document, problems } = infer(samples);
    expect(problems).toEqual([]);
    expect(Object.keys(document.structs)).toEqual(["Root", "From"]);
    expect(typesOf(document, "From")).toEqual({ lat: "f64", lng: "ivar" });
    comesBack(samples, document);
  });

  test("with the same properties are one struct, also where one of them has no value, and with what is below", () => {
    const samples = [
      {
        home: { street: "a", note: null, tags: [], at: { x: 1, y: 2 } },
        work: { street: "b", note: 7, tags: ["t"], at: { x: 0.5, y: 70_000 } },
      },
    ];
    const { document, problems } = infer(samples);
    expect(problems).toEqual([]);
    expect(Object.keys(document.structs)).toEqual(["Root", "Home", "At"]);
    expect(typesOf(document, "Home").note).toEqual(["uvar", "null"]);
    comesBack(samples, document);
  });

  test.each<[string, unknown, unknown]>([
    ["text and numbers", { a: 1, b: 2 }, { a: 1, b: "x" }],
    ["bigints and fractions, which no type holds", { a: 1, b: 2n ** 60n }, { a: 1, b: 0.5 }],
    ["signed and unsigned integers of 64 bits", { a: 1, b: 2n ** 63n }, { a: 1, b: -1n }],
    ["keys that no type holds", { a: 1, b: new Map([[4e9, 1]]) }, { a: 1, b: new Map([[-1, 1]]) }],
    ["a problem in one of them", { a: 1, b: 2 }, { a: 0.5, b: 2, c: new Date(0) }],
    ["a single property", { a: 1 }, { a: 0.5 }],
    ["an object that is in two places", SHARED, { ...SHARED, c: 1 }],
  ])("stay two structs for %s", (_, one, other) => {
    const samples = [{ one, other, both: { one } }];
    const { document, problems } = infer(samples);
    expect(problems.every(({ path }) => path.endsWith(".c"))).toBe(true);
    expect(typesOf(document, "Root").one).not.toEqual(typesOf(document, "Root").other);
    const messages = codec(fromDocument(document), { maps: "object" });
    for (const sample of samples) expect(messages.encode(sample as never).length).toBeGreaterThan(0);
  });

  test("are a union when a property distinguishes them", () => {
    const shapes = range(8).map((i) => (i % 2 ? { type: "circle", r: i } : { type: "box", w: i, h: i, tag: "a" }));
    const { document, problems } = infer([{ shapes }]);
    expect(problems).toEqual([]);
    expect(typesOf(document, "Root").shapes).toEqual({
      array: {
        union: [
          ["box", "BoxShape"],
          ["circle", "CircleShape"],
        ],
        discriminator: "type",
      },
    });
    expect(Object.keys(typesOf(document, "CircleShape"))).toEqual(["r"]);
  });

  test("are a union when one property has another type in each", () => {
    const events = range(8).map((i) => (i % 2 ? { kind: "text", data: "x" } : { kind: "size", data: i }));
    expect(fields([{ events }]).events).toEqual({
      array: {
        union: [
          ["size", "SizeEvent"],
          ["text", "TextEvent"],
        ],
      },
    });
  });

  test("are a map when their keys are data", () => {
    const prices = Object.fromEntries(range(6).map((i) => [`2026-01-0${i + 1}`, i]));
    expect(fields([{ prices }]).prices).toEqual({ map: ["utf8", "u8"] });
    const rare = range(40).map((i) => ({ by: { [`user${i}`]: { n: i } } }));
    expect(fields(rare).by).toEqual({ map: ["utf8", { ref: "By" }] });
  });

  test("Maps are maps", () => {
    expect(typeOf([new Map([["a", 1]])])).toEqual({ map: ["utf8", "u8"] });
    expect(typeOf([new Map([[7, null]])])).toEqual({ map: ["u8", { nullable: "utf8" }] });
  });

  test("that contain similar objects are one struct", () => {
    const leaf = { name: "a", size: 1 };
    const samples = [
      { name: "r", size: 3, folders: [{ name: "s", size: 2, folders: [{ ...leaf, folders: [leaf] }] }] },
    ];
    const { document, problems } = infer(samples, { name: "Folder", headroom: 1 });
    expect(problems).toEqual([]);
    expect(document.structs).toEqual({
      Folder: {
        doc: "Inferred from 1 sample.",
        fields: [
          { name: "name", type: "utf8" },
          { name: "size", type: "u8" },
          { name: "folders", type: { array: { ref: "Folder" } }, omit: ["null"] },
        ],
      },
    });
  });

  test("that look recursive only above the last level are not a recursive struct", () => {
    const sample = { name: "a", child: { name: "b", child: { name: "c", child: 5 } } };
    const { document, problems } = infer([sample]);
    expect(problems).toEqual([]);
    comesBack([sample], document);
  });

  test.each([1, 2, 3, 4, 5])("in %i levels of dictionaries are as many maps", (levels) => {
    const level = (n: number): unknown =>
      n === 0 ? 5 : Object.fromEntries(range(4).map((key) => [`${key}`, level(n - 1)]));
    let type: unknown = "u8";
    for (let n = 0; n < levels; n++) type = { map: ["utf8", type] };
    expect(typeOf([level(levels)])).toEqual(type);
  });

  test.each([
    ["dictionaries", (inner: unknown) => ({ 1: inner, 2: inner, 3: inner, 4: null }), null],
    ["lists", (inner: unknown) => ({ 1: [inner], 2: [], 3: [], 4: [] }), { 1: [], 2: [], 3: [], 4: [] }],
  ])("are not a recursive map through %s: only a struct has a name", (_, around, inner) => {
    const sample = { x: around(around(around(inner))) };
    const { document, problems } = infer([sample]);
    expect(problems).toEqual([]);
    comesBack([sample], document);
  });

  test("are a map of itself with a struct between", () => {
    const folder = (inner: unknown) => ({ size: 1, files: { 1: inner, 2: null, 3: null, 4: null } });
    const { document, problems } = infer([{ root: folder(folder(folder(folder(null)))) }]);
    expect(problems).toEqual([]);
    expect(Object.keys(document.structs)).toEqual(["Root", "Root2"]);
  });

  test("of a syntax tree are one union", () => {
    const number = (value: number) => ({ type: "Number", value });
    const sum = (left: unknown, right: unknown) => ({ type: "Sum", left, right });
    const { document, problems } = infer([{ body: [sum(number(1), sum(number(2), number(3))), number(4)] }]);
    expect(problems).toEqual([]);
    expect(Object.keys(document.structs)).toEqual(["Root", "SumBody", "NumberBody"]);
  });

  test("with coordinates have lists of fixed length", () => {
    const places = range(20).map((i) => ({ at: [i + 0.5, -i] }));
    expect(fields([{ places }]).places).toEqual({ array: { ref: "Place" } });
    expect(typesOf(infer([{ places }]).document, "Place").at).toEqual({ array: "f64", length: 2 });
  });
});

describe("problems are reported, and nothing else is lost", () => {
  test("several types at one place", () => {
    const { document, problems } = infer([
      { id: 1, ok: "a" },
      { id: "x", ok: "b" },
    ]);
    expect(problems).toEqual([
      { path: "$.id", message: "a place has one type; the samples have numbers (1), text (1)" },
    ]);
    expect(Object.keys(typesOf(document, "Root"))).toEqual(["ok"]);
  });

  test.each<[string, unknown, RegExp]>([
    ["a Date", new Date(0), /plain objects/],
    ["a function", () => 1, /plain objects/],
    ["a lone surrogate", "\ud800", /lone surrogate/],
    ["integers of more than 64 bits", 2n ** 64n, /more than 64 bits/],
    ["a map's keys that are objects", new Map([[{}, 1]]), /keys of a map/],
    ["a map's key with a lone surrogate", new Map([["\ud800", 1]]), /lone surrogate/],
    [
      "the same of a dictionary",
      { 1: 1, 2: 2, 3: 3, ...Object.fromEntries(range(200).map((i) => [`\ud800${i}`, i])) },
      /key with a lone surrogate/,
    ],
    ["lists of both", [1, "a"], /numbers \(1\), text \(1\)|text \(1\), numbers \(1\)/],
  ])("%s", (_, value, message) => {
    const { problems } = infer([{ list: [{ x: value }] }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.path).toMatch(/^\$\.list\[\]\.x/);
    expect(problems[0]!.message).toMatch(message);
  });

  test("a property without a name", () => {
    expect(infer([{ "": 1 }]).problems.map(({ path }) => path)).toEqual(['$[""]']);
  });

  test("properties with names of Object.prototype are properties", () => {
    const sample = JSON.parse('{"__proto__":{"constructor":1},"toString":"x"}');
    expect(Object.keys(fields([sample]))).toEqual(["__proto__", "toString"]);
  });
});

describe("invalid samples and options", () => {
  test.each<[string, () => unknown, string]>([
    ["no samples", () => infer([]), "ERR_INVALID_ARGUMENT"],
    ["a sample that is not an object", () => infer([{ a: 1 }, 2]), "ERR_UNSUPPORTED_TYPE"],
    ["a list as a sample", () => infer([[1]]), "ERR_UNSUPPORTED_TYPE"],
    ["an empty name", () => infer([{ a: 1 }], { name: "" }), "ERR_INVALID_ARGUMENT"],
    ["1,000 levels", () => infer([{ a: JSON.parse("[".repeat(1000) + "]".repeat(1000)) }]), "ERR_LIMIT_DEPTH"],
    [
      "types deeper than schemas are",
      () => infer([{ a: JSON.parse("[".repeat(100) + "]".repeat(100)) }]),
      "ERR_SCHEMA",
    ],
  ])("%s", (_, act, code) => expect(caughtOurs(act).code).toBe(code));
});

describe("deep data", () => {
  const chain = (levels: number): object => {
    let inner: Record<string, unknown> = { v: 1, w: "x" };
    for (let level = 1; level < levels; level++) inner = { v: level, w: "x", next: inner };
    return inner;
  };

  test("as deep as a codec allows is one struct, and comes back", () => {
    const samples = [chain(512)];
    const { document, problems } = infer(samples);
    expect(problems).toEqual([]);
    expect(Object.keys(document.structs)).toEqual(["Root"]);
    comesBack(samples, document);
  });

  test("deeper is refused at once, whatever its shape", () => {
    const cyclic: Record<string, unknown> = { a: 1, b: 2 };
    cyclic.list = [new Map([["x", cyclic]])];
    for (const sample of [chain(513), chain(100_000), cyclic])
      expect(caughtOurs(() => infer([sample])).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("what many share counts once a level", () => {
    let shared: Record<string, unknown> = { v: 1 };
    // 2 to the power of 600 paths.
    for (let level = 0; level < 600; level++) shared = { a: shared, b: shared };
    expect(caughtOurs(() => infer([shared])).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("more kinds of objects than a schema has structs are refused", () => {
    const sample = Object.fromEntries(range(5000).map((i) => [`k${i}`, { [`a${i}`]: 1, [`b${i}`]: { c: i } }]));
    expect(caughtOurs(() => infer([{ first: 1, sample }, sample])).code).toBe("ERR_SCHEMA");
  });

  test("both sides of a tree belong to it, in any order of turns", () => {
    const tree = (depth: number, turn: number): object =>
      depth === 0
        ? { key: depth, size: 1 }
        : { key: depth, size: 1, [(turn + depth) % 3 === 0 ? "left" : "right"]: tree(depth - 1, turn + 1) };
    const samples = range(6).map((turn) => tree(60, turn));
    const { document, problems } = infer(samples);
    expect(problems).toEqual([]);
    expect(Object.keys(document.structs)).toEqual(["Root"]);
    comesBack(samples, document);
  });
});

describe("work", () => {
  /** Counts how often the properties of an object are read, for a number of levels that each contain themselves once. */
  function looks(levels: number): number {
    let count = 0;
    const counted = (object: object) =>
      new Proxy(object, {
        ownKeys: (target) => {
          count++;
          return Reflect.ownKeys(target);
        },
      });
    const level = (n: number): unknown => {
      if (n === levels) return null;
      const parts = { [`p${n}`]: 1, [`q${n}`]: 2 };
      return counted({ ...parts, child: level(n + 1), [`self${n}`]: counted({ ...parts, [`self${n}`]: null }) });
    };
    infer([level(0)]);
    return count;
  }

  test("does not double with each level of data that contains itself", () => {
    expect(Math.log2(looks(32) / looks(16))).toBeLessThan(3);
  });
});

describe("every sample comes back", () => {
  test("any JSON that was parsed without rounding", () => {
    const leaf = fc.oneof(fc.boolean(), fc.constant(null), fc.integer(), fc.maxSafeInteger(), fc.double(), fc.string());
    const big = fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n);
    const names = fc.oneof(fc.constantFrom("id", "kind", "type", "1023", "__proto__", "n"), fc.string());
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        big,
        fc.array(tie("value"), { maxLength: 5 }),
        fc.dictionary(names, tie("value"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(fc.dictionary(names, value), { minLength: 1, maxLength: 6 }), (samples) => {
        fits(samples, infer(samples).document);
      }),
      { numRuns: 700 },
    );
  });

  test("any JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 8 }), (samples) => {
        const { document, problems } = infer(samples);
        const held = problems.length === 0 ? comesBack : fits;
        held(samples, document);
      }),
      { numRuns: 700 },
    );
  });

  test("the same records in several places, as one struct that holds all", () => {
    const record = fc.record(
      {
        n: fc.oneof(fc.integer(), fc.double(), fc.constant(null)),
        list: fc.array(fc.oneof(fc.nat(), fc.constant(null))),
        at: fc.record({ x: fc.oneof(fc.nat(300), fc.double()), y: fc.integer() }),
        state: fc.constantFrom("new", "old", "gone"),
      },
      { requiredKeys: ["at"] },
    );
    const sample = fc.record({ from: record, to: record, via: fc.array(record, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 20 }), (samples) => {
        const { document, problems } = infer(samples);
        expect(problems).toEqual([]);
        comesBack(samples, document);
      }),
      { numRuns: 500 },
    );
  });

  test("records of one kind, with parts that are missing", () => {
    const record = fc.record(
      {
        id: fc.integer(),
        name: fc.string(),
        state: fc.constantFrom("new", "old", "gone"),
        tags: fc.array(fc.constantFrom("a", "b")),
        at: fc.tuple(fc.double(), fc.double()),
        more: fc.oneof(
          fc.record({ kind: fc.constant("a"), n: fc.nat() }),
          fc.record({ kind: fc.constant("b"), t: fc.string() }),
        ),
        by: fc.dictionary(fc.uuid(), fc.nat()),
      },
      { requiredKeys: ["id"] },
    );
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 40 }), (samples) => {
        const { document, problems } = infer(samples);
        expect(problems).toEqual([]);
        comesBack(samples, document);
      }),
      { numRuns: 500 },
    );
  });
});

function comesBack(samples: readonly unknown[], document: SchemaDocument): void {
  const messages = codec(fromDocument(document), { maps: "object" });
  for (const sample of samples) {
    const decoded = messages.decode(messages.encode(sample as never));
    if (!isHeld(sample, decoded)) expect(decoded).toEqual(sample);
  }
}

/** True if `decoded` is the sample; a property that the sample lacks, or that is null, decodes as null or empty. */
function isHeld(sample: unknown, decoded: unknown): boolean {
  if (sample === null || sample === undefined) return decoded === null || isEmpty(decoded);
  if (typeof sample !== "object") return Object.is(sample, decoded);
  if (Array.isArray(sample)) {
    return (
      Array.isArray(decoded) && sample.length === decoded.length && sample.every((item, i) => isHeld(item, decoded[i]))
    );
  }
  const found = decoded as Record<string, unknown>;
  const names = new Set([...Object.keys(sample), ...Object.keys(found)]);
  return [...names].every((name) =>
    isHeld(
      Object.hasOwn(sample, name) ? (sample as Record<string, unknown>)[name] : undefined,
      Object.hasOwn(found, name) ? found[name] : undefined,
    ),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
}
