/** Lists and maps that V8 cannot hold are refused at their count: V8 ends the process when a list cannot grow. */

import { fault } from "@moonpack/harness/caught.ts";
import { childResult } from "@moonpack/harness/child.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import * as pck from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { Reader } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { MAX_KEYS, MAX_LIST_ELEMENTS } from "../../moonpack/build/bytes/limits.js";
import { emittedEngine } from "./harness/emitted.ts";

const { array, codec, map, nullable, resolve, schema, toDocument } = pck;
const { BOOL, F32, REF, U16, U8, U32, UTF8, u8, UVAR64 } = pck;

/** A count, and zeros: `bytes` of them. */
function message(count: number, bytes: number): Uint8Array {
  const head: number[] = [];
  for (let rest = count; ; rest = Math.floor(rest / 128)) {
    head.push(rest > 127 ? (rest % 128) | 128 : rest);
    if (rest < 128) break;
  }
  const whole = new Uint8Array(head.length + bytes);
  whole.set(head);
  return whole;
}

const LISTS: readonly (readonly [string, pck.Type<unknown, never>, pck.Type<unknown, never>, number])[] = [
  ["bools", BOOL, BOOL, 1 / 8],
  ["nullables", nullable(UTF8), nullable(UTF8), 1 / 8],
  ["texts", UTF8, nullable(UTF8), 1],
  ["numbers", U8, U16, 1],
  ["bigints", UVAR64, UVAR64, 1],
  ["structs", REF(schema("Item", u8("x"))), REF(schema("Item", u8("x"))), 1],
];

describe(`lists of more than ${MAX_LIST_ELEMENTS} elements`, () => {
  test.each(LISTS)("%s", async (_, type, newer, size) => {
    const one = schema("List", array("v", type));
    const input = message(MAX_LIST_ELEMENTS + 1, Math.ceil((MAX_LIST_ELEMENTS + 1) * size));
    const refused = { code: "ERR_LIMIT_ELEMENTS", offset: 0 };
    for (const generation of [false, codeGeneration] as const)
      expect(fault(() => codec(one, { codeGeneration: generation }).decode(input))).toMatchObject(refused);
    expect(fault(() => codec(one, { maxDepth: 600 }).decode(input))).toMatchObject(refused);
    const two = schema("List", array("v", newer));
    expect(fault(() => resolve(one, two).decode(input))).toMatchObject(refused);
    const document = toDocument(one) as never;
    const emitted = await emittedEngine({ target: "ts", runtime: "beside" }, [document]);
    expect(fault(() => emitted.open(document).decode(input))).toMatchObject(refused);
    const framed = [...pck.encodeContainer(one, [])];
    framed.push(...message(input.length, 0));
    const container = new Uint8Array(framed.length + input.length);
    container.set(framed);
    container.set(input, framed.length);
    expect(fault(() => pck.decodeContainer(container, { maxFrameBytes: 2 ** 30 }))).toMatchObject({
      code: "ERR_LIMIT_ELEMENTS",
    });
  });

  test("typed arrays do not grow", () => {
    const one = schema("List", array("v", U8));
    const input = message(MAX_LIST_ELEMENTS + 1, MAX_LIST_ELEMENTS + 1);
    for (const codeGeneration of [false, true])
      expect(codec(one, { typedArrays: true, codeGeneration }).decode(input).v).toHaveLength(MAX_LIST_ELEMENTS + 1);
    expect(fault(() => codec(schema("List", array("v", F32)), { typedArrays: true }).decode(input)).code).toBe(
      "ERR_LIMIT_ELEMENTS",
    );
  });

  test("the JSON form", () => {
    const one = codec(schema("List", array("v", U8), map("m", U8, U8)));
    const refused = (path: string) => ({ code: "ERR_LIMIT_ELEMENTS", path });
    expect(fault(() => one.fromJSON({ v: new Array(MAX_LIST_ELEMENTS + 1), m: [] }))).toEqual(refused("$.v"));
    expect(fault(() => one.fromJSON({ v: [], m: new Array(MAX_KEYS + 1) }))).toEqual(refused("$.m"));
  });

  test("packed fields of Protobuf, in one part or several", () => {
    const lists = ["uint32s", "int32s", "sint32s", "bools", "uint64s", "int64s", "sint64s"] as const;
    for (const call of lists) {
      const reader = new Reader(message(MAX_LIST_ELEMENTS + 1, MAX_LIST_ELEMENTS + 1));
      expect(fault(() => reader[call]())).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 0 });
      expect(reader.pos).toBe(0);
    }
    const read = new Array(MAX_LIST_ELEMENTS - 2);
    expect(fault(() => new Reader(Uint8Array.of(3, 1, 2, 3)).uint32s(read)).code).toBe("ERR_LIMIT_ELEMENTS");
    expect(fault(() => new Reader(message(24, 24)).doubles(read)).code).toBe("ERR_LIMIT_ELEMENTS");
    // Three bytes of two varints.
    expect(new Reader(Uint8Array.of(3, 0x81, 1, 3)).uint32s(read)).toHaveLength(MAX_LIST_ELEMENTS);
  });
});

test(`maps of more than ${MAX_KEYS} entries`, async () => {
  const one = schema("Map", map("m", U32, U8));
  const input = message(MAX_KEYS + 1, 5 * (MAX_KEYS + 1));
  const refused = { code: "ERR_LIMIT_ELEMENTS", offset: 0 };
  for (const generation of [false, codeGeneration] as const)
    expect(fault(() => codec(one, { codeGeneration: generation }).decode(input))).toMatchObject(refused);
  expect(fault(() => resolve(one, schema("Map", map("m", UVAR64, U16))).decode(input))).toMatchObject(refused);
  const document = toDocument(one) as never;
  const emitted = await emittedEngine({ target: "js" }, [document]);
  expect(fault(() => emitted.open(document).decode(input))).toMatchObject(refused);
});

/** Runs in a separate process: a list that V8 cannot grow would end it. */
test.skipIf(!isWhole)(
  "the longest lists, and containers of too many values",
  () => {
    const result = childResult<unknown>(
      `
    import * as pck from "@moonpack/pck";
    const { codec, schema, array, nullable, UTF8 } = pck;
    const most = ${MAX_LIST_ELEMENTS};
    const zeros = (count, size) => {
      const head = [];
      for (let rest = count; rest > 127; rest = Math.floor(rest / 128)) head.push(rest % 128 | 128);
      head.push(Math.floor(count / 128 ** head.length));
      const bytes = new Uint8Array(head.length + size);
      bytes.set(head);
      return bytes;
    };
    const lengths = [];
    for (const codeGeneration of [false, true])
      lengths.push(codec(schema("L", array("v", nullable(UTF8))), { codeGeneration }).decode(zeros(most, Math.ceil(most / 8))).v.length);
    console.log(JSON.stringify([...new Set(lengths)]));`,
      ["--max-old-space-size=6000"],
      300_000,
    );
    expect(result).toEqual([MAX_LIST_ELEMENTS]);
  },
  300_000,
);
