/** The heap that decoded short lists take: no more than MessagePack's, which are allocated at their exact size. */

import { isWhole } from "@moonpack/harness/effort.ts";
import { retainedIn, retainedInCases } from "@moonpack/harness/retained-memory.ts";
import { expect, test } from "vitest";

const SETUP = `
  import { array, codec, nullable, REF, schema, utf8, UTF8 } from "@moonpack/pck";
  import { decode, encode } from "moonpack/msgpack";
  const Point = schema("Point", utf8("name"));
  const texts = schema(array("list", UTF8));
  const fixed = (length) => schema(array("list", UTF8, length));
  const structs = schema(array("list", REF(Point)));
  const nullables = schema(array("list", nullable(UTF8)));
  const list = (length, item) => ({ list: new Array(length).fill(item) });
  const reader = (schema, value, codeGeneration) => {
    const one = codec(schema, { codeGeneration });
    const bytes = one.encode(value);
    return () => one.decode(bytes);
  };
  const other = (value) => {
    const bytes = encode(value);
    return () => decode(bytes);
  };`;

const KINDS = {
  texts: ["texts", '"a"'],
  "texts of a fixed length": ["fixed(LENGTH)", '"a"'],
  structs: ["structs", '{ name: "a" }'],
  nullables: ["nullables", '"a"'],
} as const;

/** A share takes the shortest and the longest of the lists that get their exact size. */
const LENGTHS = isWhole ? [1, 2, 3, 4] : [1, 4];

/** Every second kind in a share. */
const kinds = Object.entries(KINDS).filter((_, i) => isWhole || i % 2 === 0);

for (const [kind, [schema, item]] of kinds) {
  test(`${kind}: lists of one to four keep no more than MessagePack's`, () => {
    const outcomes = retainedInCases(
      SETUP,
      LENGTHS.map((length) => {
        const arguments_ = `${schema.replace("LENGTH", String(length))}, list(${length}, ${item})`;
        return {
          generated: `reader(${arguments_}, true)`,
          closures: `reader(${arguments_}, false)`,
          msgpack: `other(list(${length}, ${item}))`,
        };
      }),
      { count: 20_000 },
    );
    for (const [i, length] of LENGTHS.entries()) {
      const held = retainedIn(outcomes[i]!);
      // Space for 13 more elements is 104 bytes, or 52 with pointers of 4 bytes.
      expect(held.generated, `${length}, generated`).toBeLessThan(held.msgpack + 40);
      expect(held.closures, `${length}, closures`).toBeLessThan(held.msgpack + 40);
    }
  });
}
