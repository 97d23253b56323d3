/** Values nested deeper than recursion may go: the same results, without a stack overflow. */

import { fault } from "@moonpack/harness/caught.ts";
import { childResult } from "@moonpack/harness/child.ts";
import { each, none } from "@moonpack/harness/each.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { resolve, type SchemaDocument } from "@moonpack/pck";
import { expect, test } from "vitest";
import { encodeReference } from "./harness/encode.ts";
import { Layout } from "./harness/layout.ts";
import { mutate } from "./harness/mutate.ts";
import { evolved } from "./harness/random-evolution.ts";
import { randomSchema } from "./harness/random-schemas.ts";
import { randomValue } from "./harness/random-values.ts";

/** Levels around a value of the document's root. */
const LINKS = 400;

function linked(doc: SchemaDocument): SchemaDocument {
  const fields = [
    { name: "next", type: { ref: "~" }, omit: ["null"] },
    { name: "value", type: { ref: doc.root }, omit: ["null"] },
  ] as const;
  return { pck: 1, root: "~", structs: { ...doc.structs, "~": { fields } } };
}

interface Link {
  readonly next: Link | null;
  readonly value: unknown;
}

test("the same values and errors as without deep nesting", () => {
  const random = randomSource(7);
  const pairs = Array.from({ length: 60 }, () => {
    const writer = randomSchema(random, "any");
    const reader = evolved(random, writer);
    return { name: `${JSON.stringify(writer)} read as ${JSON.stringify(reader)}`, writer, reader };
  });
  const seen = { values: 0, errors: 0 };
  each(pairs, ({ writer, reader }) => {
    const layout = new Layout(writer);
    const messages = [20, 40].map((budget) => encodeReference(layout, randomValue(random, layout, budget)));
    const all = messages.flatMap((bytes) => [bytes, ...Array.from({ length: 6 }, () => mutate(random, bytes))]);
    let decode: (bytes: Uint8Array) => unknown;
    try {
      const decoder = resolve<unknown, unknown>(writer, reader);
      decode = (bytes) => decoder.decode(bytes);
    } catch {
      return;
    }
    const deep = resolve<Link, unknown>(linked(writer), linked(reader) as never, { maxDepth: 4096 });
    for (const message of all) {
      const bytes = Uint8Array.from(message);
      const inside = Uint8Array.from([...new Array<number>(LINKS).fill(1), 2, ...message]);
      let value: unknown;
      try {
        value = decode(bytes);
      } catch {
        const { code, offset, needMore } = fault(() => decode(bytes));
        expect(fault(() => deep.decode(inside))).toEqual({ code, offset: Number(offset) + LINKS + 1, needMore });
        seen.errors++;
        continue;
      }
      let link = deep.decode(inside);
      for (let i = 0; i < LINKS; i++) link = link.next!;
      none(differ(link.value, value));
      seen.values++;
    }
  });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(100);
});

test("4,096 levels fit into half a usual stack: structs, unions, lists, skipped and added fields", () => {
  const code = `
    import { array, bool, omitNull, ref, REF, resolve, schema, u8, u16, union, withDefault } from "@moonpack/pck";
    const chain = (count, last, wrap = (field) => field) => {
      const structs = [];
      for (let i = 0; i < count; i++) {
        const next = i === count - 1 ? [] : [wrap(ref("next", () => structs[i + 1]))];
        structs.push(schema("S" + i, last, ...next));
      }
      return structs[0];
    };
    const unions = (number) => {
      const node = schema(union("u", { end: schema(number("x")), node: () => node }));
      return node;
    };
    const lists = (...more) => {
      const list = schema(array("list", REF(() => list)), ...more);
      return list;
    };
    const deep = { maxDepth: 4096 };
    const filled = (count, byte) => new Uint8Array(count).fill(byte);
    const failures = [];
    const attempt = (name, act) => { try { act(); } catch (error) { failures.push(name + ": " + error.message); } };
    attempt("structs", () => resolve(chain(4096, u8("v")), chain(4096, u16("v")), deep).decode(filled(4096, 1)));
    attempt("optional", () => resolve(chain(4096, u8("v"), omitNull), chain(4096, u16("v"), omitNull), deep).decode(filled(8191, 1)));
    attempt("unions", () => resolve(unions(u8), unions(u16), deep).decode(Uint8Array.of(...filled(2046, 1), 0, 1)));
    attempt("lists", () => resolve(lists(), lists(omitNull(u8("x"))), deep).decode(Uint8Array.of(...filled(2046, 1), 0)));
    attempt("skipped", () => resolve(schema(ref("a", chain(4095, u8("v")))), schema(), deep).decode(filled(4095, 1)));
    attempt("made", () => resolve(schema(bool("b")), schema(bool("b"), ref("a", chain(4095, withDefault(u8("v"), 1))))).decode(filled(1, 1)));
    console.log(JSON.stringify(failures));`;
  expect(childResult<string[]>(code, ["--stack-size=492"])).toEqual([]);
});
