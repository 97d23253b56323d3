/** Emitted functions that decode some fields: the same values, errors and limits as `pick`. */
import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import {
  array,
  bundle,
  type CodecOptions,
  codec,
  omitNull,
  REF,
  ref,
  schema,
  toDocument,
  U8,
  u32,
  union,
  utf8,
} from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { type EmittedPicks, emit, emitRegions, type JavaScriptOptions } from "@moonpack/pck/emit";
import { pick } from "@moonpack/pck/pick";
import { describe, expect, test } from "vitest";
import { emittedPicks } from "./harness/emitted.ts";
import { encodeReference } from "./harness/encode.ts";
import { Layout } from "./harness/layout.ts";
import * as many from "./harness/many-lists.ts";
import { mutate, zeroed } from "./harness/mutate.ts";
import { withPlainNames } from "./harness/plain-names.ts";
import { type RandomPath, randomPaths } from "./harness/random-paths.ts";
import { pick as oneOf, type Random, randomSchema } from "./harness/random-schemas.ts";
import { randomValue } from "./harness/random-values.ts";
import type { SchemaDocument } from "./harness/shape.ts";
import { complaints } from "./harness/typescript.ts";

type Fault = { readonly code: string; readonly offset: number };
interface Outcome {
  readonly value?: object;
  readonly fault?: Fault;
}

const FIELDS = ["a", "__proto__", "constructor", "b c", "true"];

function randomOptions(random: Random): Omit<CodecOptions, "classes" | "codeGeneration"> {
  return {
    int64: oneOf(random, ["bigint", "number"]),
    maps: oneOf(random, ["map", "object"]),
    typedArrays: random(3) === 0,
    binary: oneOf(random, ["copy", "view"]),
    absent: oneOf(random, ["own", "shared"]),
    ...(random(4) === 0 ? { maxDepth: 1 + random(6) } : {}),
    ...(random(4) === 0 ? { maxElements: 1 + random(30) } : {}),
  };
}

function namedPaths(random: Random, doc: SchemaDocument): Record<string, RandomPath> {
  const paths = randomPaths(random, doc, 1 + random(FIELDS.length));
  return Object.fromEntries(paths.map((path, i) => [FIELDS[i]!, path]));
}

/** Random schemas: their picks in closures, in generated code, and emitted; and messages, valid ones first. */
function* cases(seed: number, count: number) {
  const random = randomSource(seed);
  for (let i = 0; i < share(count); i++) {
    const doc = randomSchema(random, "any");
    const paths = namedPaths(random, doc);
    if (Object.keys(paths).length === 0) continue;
    const options = randomOptions(random);
    const target = oneOf(random, ["js", "js", "js", "ts"] as const);
    const emitted = emittedPicks(doc, { target, ...options, picks: { Picked: { paths } } }).get("Picked")!;
    const engines = [false, codeGeneration].map((generator) =>
      pick(codec<unknown, never>(doc, { ...options, codeGeneration: generator }), paths),
    );
    const layout = new Layout(doc);
    const plain = [0, 25, 100].map((size) => encodeReference(layout, randomValue(random, layout, size)));
    const damaged = plain.flatMap((bytes) => [zeroed(random, bytes), mutate(random, bytes), mutate(random, bytes)]);
    const [valid, invalid] = [plain, damaged].map((list) => list.map((bytes) => Uint8Array.from(bytes)));
    const text = `${JSON.stringify(paths)} of ${JSON.stringify(doc)} with ${JSON.stringify(options)}`;
    yield { name: text, text, emitted, engines, valid: valid!, damaged: invalid! };
  }
}

function outcome(decode: () => object): Outcome {
  try {
    return { value: decode() };
  } catch {
    return { fault: fault(decode) as Fault };
  }
}

test("emitted picks are those of closures and generated code: values, limits, and what damaged messages are", () => {
  let values = 0;
  let faults = 0;
  each([...cases(20261210, 300)], ({ text, emitted, engines, valid, damaged }) => {
    for (const [i, bytes] of [...valid, ...damaged].entries()) {
      const mine = outcome(() => emitted(bytes));
      for (const engine of engines) {
        const theirs = outcome(() => engine.decode(bytes) as object);
        const what = `${bytes.join(" ")} by ${text}`;
        if (theirs.value !== undefined) {
          none(differ(mine.value, theirs.value), what);
          equal(Object.keys(mine.value!).join(), Object.keys(theirs.value).join(), what);
          values++;
        } else if (i < valid.length) equal(mine.fault, theirs.fault, what);
        else equal(mine.fault === undefined, false, what);
        if (mine.fault !== undefined) faults++;
      }
    }
  });
  expect(values).toBeGreaterThan(share(300));
  expect(faults).toBeGreaterThan(share(300));
});

test("every truncation of a valid message is the error of pick", () => {
  each([...cases(20261211, 150)], ({ text, emitted, engines, valid }) => {
    for (const bytes of valid.filter(({ length }) => length < 1000)) {
      for (let end = 0; end < bytes.length; end++) {
        const cut = bytes.slice(0, end);
        equal(
          outcome(() => emitted(cut)).fault,
          outcome(() => engines[0]!.decode(cut) as object).fault,
          `${cut.join(" ")} by ${text}`,
        );
      }
    }
  });
});

test("1 MB of absent lists, of which paths would make millions, is refused before they are made", () => {
  const { document, messages, paths } = many;
  const emitted = emittedPicks(document, { target: "js", picks: { Picked: { paths } } }).get("Picked")!;
  const pickers = [false, codeGeneration].map((generator) =>
    pick(codec<unknown, never>(document, { codeGeneration: generator }), paths),
  );
  const engines = [...pickers.map((one) => (bytes: Uint8Array) => one.decode(bytes)), emitted];
  // The count of all rows; the table at which 3 million elements are used up, of 133,000 each; the count of all pairs.
  const offsets = [1, 240_000, 1];
  for (const engine of engines) {
    const faults = messages.map((bytes) => fault(() => engine(bytes)));
    expect(faults.map(({ code }) => code)).toEqual(messages.map(() => "ERR_LIMIT_ELEMENTS"));
    for (const [i, { offset }] of faults.entries()) expect(offset).toBeLessThanOrEqual(offsets[i]!);
  }
});

test("a schema whose messages are small is counted if its paths make many lists of them", () => {
  const small = schema("Small", array("rows", REF(schema("Row", array("cells", U8, 200))), 200));
  const bytes = new Uint8Array(40_000);
  for (const [count, isFine] of [
    [20, true],
    [60, false],
  ] as const) {
    const paths = Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, "rows.*.cells.*"]));
    const emitted = emittedPicks(toDocument(small), { target: "js", picks: { Picked: { paths } } }).get("Picked")!;
    for (const decode of [emitted, (input: Uint8Array) => pick(codec(small), paths).decode(input)]) {
      if (isFine) expect(Object.keys(decode(bytes))).toHaveLength(count);
      else expect(fault(() => decode(bytes))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS" });
    }
  }
});

const Header = schema("Header", utf8("tenant"), utf8("region"));
const Item = schema("Item", utf8("sku"), u32("price"));
const Order = schema(
  "Order",
  u32("id"),
  ref("header", Header),
  array("items", REF(Item)),
  omitNull(ref("copy", Header)),
  union("from", { shop: Header, item: Item }),
);
const ROUTE = {
  id: "id",
  tenant: "header.tenant",
  skus: "items.*.sku",
  copy: ["copy", "tenant"],
  kind: "from.kind",
  sku: "from.sku",
  whole: "copy",
} as const;
const picks: EmittedPicks = { OrderRoute: { of: "Order", paths: ROUTE } };

test("the interface has the exact types of pick; unused variables and parameters are none", () => {
  const [main, runtime] = emit(Order, { target: "ts", runtime: "beside", picks });
  const files = new Map([main!, runtime!].map(({ path, text }) => [`/${path}`, text]));
  files.set(
    "/use.ts",
    `import { decodeOrderRoute, type Header, type OrderRoute } from "./order.js";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same: Same<OrderRoute, { id: number; tenant: string; skus: string[]; copy: string | undefined; kind: "shop" | "item"; sku: string | undefined; whole: Header | null }> = true;
export const id: number = same ? decodeOrderRoute(new Uint8Array()).id : 0;
`,
  );
  const random = randomSource(20261212);
  for (let i = 0; i < 30; i++) {
    const doc = withPlainNames(randomSchema(random, "plain"));
    const paths = namedPaths(random, doc);
    if (Object.keys(paths).length === 0) continue;
    const options = { ...randomOptions(random), target: "ts", runtime: "beside" } as const;
    const [file] = emit(doc, { ...options, picks: { Picked: { paths } } });
    files.set(`/random${i}.ts`, file!.text);
  }
  expect(complaints(files, { noUnusedLocals: true, noUnusedParameters: true })).toEqual([]);
});

test("the declarations of JavaScript have the picks", () => {
  const text = emit(Order, { target: "js", picks }).find(({ path }) => path === "order.d.ts")!.text;
  expect(text).toContain("export interface OrderRoute {\n  id: number;\n");
  expect(text).toContain("export declare function decodeOrderRoute(bytes: BytesInput): OrderRoute;");
});

test("the same picks give the same text with a polluted Object.prototype", () => {
  const before = emit(Order, { target: "ts", picks });
  const prototype = Object.prototype as { of?: unknown };
  prototype.of = "Nothing";
  try {
    expect(emit(Order, { target: "ts", picks: { OrderRoute: { paths: ROUTE } } })).toEqual(before);
  } finally {
    delete prototype.of;
  }
});

describe("refused", () => {
  const refusal = (given: unknown, schemas: Parameters<typeof emit>[0] = Order) => {
    const { code, message } = caughtOurs(() => emit(schemas, { target: "ts", picks: given } as JavaScriptOptions));
    return `${code} ${message}`;
  };

  test("names in use, or not valid", () => {
    const paths = { id: "id" };
    for (const name of ["Order", "Header", "Map", "readText", "BytesInput"])
      expect(refusal({ [name]: { paths } })).toMatch(
        /^ERR_INVALID_ARGUMENT picks: emitted code would declare \w+ twice/,
      );
    for (const name of ["1x", "a b", ""])
      expect(refusal({ [name]: { paths } })).toMatch(/is not a valid name in JavaScript$/);
  });

  test("schemas and paths that are not there, with a suggestion", () => {
    expect(refusal({ A: { of: "Ordr", paths: { id: "id" } } })).toMatch(
      /A is of "Ordr", which is not emitted: did you mean Order\?$/,
    );
    expect(refusal({ A: { paths: { id: "id" } } }, bundle({ Order, Header }))).toMatch(
      /needs the name of a schema in "of"$/,
    );
    expect(refusal({ A: { paths: { t: "header.tenent" } } })).toMatch(
      /"tenent", which is not a field: did you mean tenant\?$/,
    );
    expect(refusal({ A: { paths: { t: "items.sku" } } })).toMatch(/at a list: "\*" is every element$/);
  });

  test.each([
    [[]],
    [1],
    [{ A: 1 }],
    [{ A: {} }],
    [{ A: { paths: {} } }],
    [{ A: { paths: ["id"] } }],
    [{ A: { paths: { id: 1 } } }],
    [{ A: { path: { id: "id" } } }],
  ])("%j", (given) => expect(refusal(given)).toMatch(/^ERR_INVALID_ARGUMENT /));

  test("regions have no picks", () => {
    const file = '// pck:emit("rest")\n// pck:end\n';
    expect(caughtOurs(() => emitRegions(file, Order, { target: "ts", picks } as never)).code).toBe(
      "ERR_INVALID_ARGUMENT",
    );
  });
});
