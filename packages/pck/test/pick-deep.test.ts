/** Structs below the depth of recursion: pickers skip them by other code, with the limits and errors of `decode`. */

import { fault } from "@moonpack/harness/caught.ts";
import { equal } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { codec, type SchemaDocument } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { pick } from "@moonpack/pck/pick";
import { describe, expect, test } from "vitest";
import type { Random } from "./harness/random-schemas.ts";

const ref = { ref: "Node" };
const document = {
  pck: 1,
  root: "Root",
  structs: {
    Root: {
      fields: [
        { name: "node", type: ref },
        { name: "end", type: "utf8" },
      ],
    },
    Leaf: { fields: [{ name: "isLeaf", type: "bool" }] },
    Node: {
      fields: [
        { name: "text", type: "utf8" },
        { name: "map", type: { map: ["u8", "u8"] } },
        { name: "next", type: ref, omit: ["null"] },
        {
          name: "arm",
          type: {
            union: [
              ["leaf", "Leaf"],
              ["node", "Node"],
            ],
          },
          omit: ["null"],
        },
        { name: "list", type: { array: ref }, omit: ["empty"] },
        { name: "holes", type: { array: { nullable: ref } }, omit: ["empty"] },
        { name: "named", type: { map: ["utf8", { nullable: ref }] }, omit: ["empty"] },
        { name: "lists", type: { array: { array: { nullable: { array: ref } }, length: 2 } }, omit: ["empty"] },
      ],
    },
  },
} as unknown as SchemaDocument;

const EMPTY = { text: "", map: new Map(), next: null, arm: null, list: [], holes: [], named: new Map(), lists: [] };

/** Returns a message whose structs are nested 300 to 400 deep, through every kind of container. */
function deepMessage(random: Random): Uint8Array {
  let node: object = EMPTY;
  for (let levels = 300 + random(100); levels > 0; levels--) {
    const inner = [
      { next: node },
      { arm: { kind: "node", ...node } },
      { list: [EMPTY, node] },
      { holes: [null, node, EMPTY] },
      { named: new Map([["", null], ["a", node]]) }, // biome-ignore format: short
      { lists: [[null, [EMPTY, node]]] },
    ];
    const map = new Map(Array.from({ length: random(3) }, (_, key) => [key, random(256)]));
    node = { ...EMPTY, text: "x".repeat(random(4)), map, ...inner[random(inner.length)] };
  }
  return codec<unknown, unknown>(document, { maxDepth: 4096 }).encode({ node, end: "z" });
}

function isDecoded(whole: { decode(bytes: Uint8Array): unknown }, bytes: Uint8Array): boolean {
  try {
    whole.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns the smallest limit of depth at which a message is decoded. */
function depthOf(bytes: Uint8Array): number {
  let [low, high] = [1, 4096];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isDecoded(codec(document, { maxDepth: middle }), bytes)) high = middle;
    else low = middle + 1;
  }
  return low;
}

describe.each([
  ["closures", false],
  ["generated", codeGeneration],
] as const)("%s", (_, generator) => {
  const codecOf = (maxDepth: number, maxElements = Infinity) =>
    codec<unknown, never>(document, { maxDepth, maxElements, codeGeneration: generator });

  test("skipped structs count no elements", () => {
    const random = randomSource(20261205);
    for (let n = 0; n < share(20); n++) expect(pick(codecOf(4096, 1), "end").decode(deepMessage(random))).toBe("z");
  });

  test("the limit of depth is that of decode", () => {
    const random = randomSource(20261206);
    for (let n = 0; n < share(20); n++) {
      const bytes = deepMessage(random);
      const depth = depthOf(bytes);
      expect(pick(codecOf(depth), "end").decode(bytes)).toBe("z");
      for (const less of [depth - 1, depth - 2, depth - 3, 258, 257, 256, 255])
        equal(
          fault(() => pick(codecOf(less), "end").decode(bytes)),
          fault(() => codecOf(less).decode(bytes)),
        );
    }
  });

  test("truncations and damaged bytes are the errors of decode; text is not looked at", () => {
    const random = randomSource(20261207);
    const whole = codecOf(4096);
    const picker = pick(whole, "end");
    for (let n = 0; n < share(5); n++) {
      const bytes = deepMessage(random);
      for (let end = 0; end < bytes.length; end += 1 + random(100)) {
        const cut = bytes.slice(0, end);
        equal(
          fault(() => picker.decode(cut)),
          fault(() => whole.decode(cut)),
        );
        const damaged = bytes.slice();
        damaged[end] = random(256);
        if (isDecoded(whole, damaged)) expect(typeof picker.decode(damaged)).toBe("string");
      }
    }
  });
});
