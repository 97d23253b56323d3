import { decode, encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { KeySet } from "../src/convert/key-set.js";
import { convertBytes } from "./in-process.js";
import { rows } from "./rows.js";
import { convert, moonpack } from "./run.js";

const PADDING = "x".repeat(200_000);
/** The same conversion with every container in parts, and in pieces of this many bytes. */
const inParts = (json: string | Uint8Array, chunk: number, typed = false): Promise<Buffer> =>
  convertBytes(Buffer.from(json), { from: "json", to: "msgpack", wholeBytes: 4, chunk, typed });

describe("a key that appears twice", () => {
  test("in an object that is held: the last one wins", async () => {
    expect(decode(await convert('{"a":1,"b":2,"a":3}', "--from", "json"))).toEqual({ a: 3, b: 2 });
  });

  test("in a large one: an error with code and offset, and no output", async () => {
    const text = `{"a":1,"long":"${PADDING}","a":3}`;
    const { code, stdout, stderr } = await moonpack(["convert", "--from", "json"], { input: text });
    expect([code, stdout.length]).toEqual([1, 0]);
    expect(stderr).toMatch(
      /^moonpack: standard input: ERR_DUPLICATE_KEY: the key "a" comes twice .*\(at byte 200017\), line 1 column 200018\n$/,
    );
    const bytes = await convert(text, "--from", "json", "--canonical");
    expect(decode(bytes)).toEqual({ a: 3, long: PADDING });
  });

  test("in a large map of MessagePack too", async () => {
    const entry = (key: string, value: unknown): Buffer => Buffer.concat([encode(key), encode(value)]);
    const long = PADDING.repeat(20);
    const bytes = Buffer.concat([Buffer.of(0x83), entry("a", 1), entry("long", long), entry("a", 3)]);
    const { code, stderr } = await moonpack(["convert", "--from", "msgpack"], { input: bytes });
    expect(code).toBe(1);
    expect(stderr).toMatch(/ERR_DUPLICATE_KEY: the key "a" comes twice .*\(at byte 4000014\)\n$/);
  });

  test.each(
    rows([
      ['{"a":1,"b":[1,2,3],"a":3}', 19],
      ['{"a":1,"a":2,"b":[1,2,3]}', 7],
      ['{"b":[1,2,3],"a":1,"\\u0061":2}', 19],
      ['{"b":[1,2,3], "b" :[4,5,6]}', 14],
      ['{"b":[1,2,3],"7":0,"\\u0037":0}', 19],
      ['{"__proto__":[1,2,3],"c":1,"__proto__":2}', 27],
    ]),
  )("%s: the error names the second one, in pieces of any size", async (json, offset) => {
    for (const chunk of [1, 5, 8, 1000])
      await expect(inParts(json, chunk)).rejects.toMatchObject({ code: "ERR_DUPLICATE_KEY", offset });
  });

  test("in an object deep inside", async () => {
    const twice = inParts('[0,[{"x":{"b":[1,2,3],"":1,"":2}}]]', 3);
    await expect(twice).rejects.toMatchObject({ code: "ERR_DUPLICATE_KEY", offset: 27 });
  });

  test("in typed maps in parts, where a number and a string are two keys", async () => {
    const bytes = await inParts('{"$map":[[1,[1,2,3]],["1",[4,5,6]],[true,0],["true",0]]}', 3, true);
    expect(decode<Map<unknown, unknown>>(bytes, { maps: "map" }).size).toBe(4);
    const twice = inParts('[0,{"$map":[[1,[1,2,3]],[1,[4,5,6]]]}]', 3, true);
    await expect(twice).rejects.toMatchObject({ code: "ERR_DUPLICATE_KEY", offset: 3 });
  });

  test("in a typed map that is held, in pieces of any size", async () => {
    const json = '[0,{"$map":[[1,[1,2,3]],["1",0],[-0,1],[1,[4,5,6]]]}]';
    const bytes = Buffer.from(json);
    for (const wholeBytes of [4, 1000])
      await expect(convertBytes(bytes, { from: "json", to: "msgpack", typed: true, wholeBytes })).rejects.toMatchObject(
        {
          code: "ERR_DUPLICATE_KEY",
          offset: 3,
        },
      );
    const { code, stderr } = await moonpack(["convert", "--from", "json", "--typed"], { input: json });
    const why = '{"$map": ..} has the key 1 twice (at byte 3), line 1 column 4';
    expect([code, stderr]).toEqual([1, `moonpack: standard input: ERR_DUPLICATE_KEY: ${why}\n`]);
  });

  test("the same key in two objects is not a duplicate", async () => {
    const json = '[{"a":{"a":[1,2,3]},"b":0},{"a":{"a":[1,2,3]},"b":0}]';
    expect(decode(await inParts(json, 2))).toEqual(JSON.parse(json));
  });
});

test("half a million keys are all different, and found again", () => {
  const keys = new KeySet();
  const names = (at: number): unknown[] => [`user${at}`, at, String(at)];
  let different = 0;
  let again = 0;
  for (let at = 0; at < 170_000; at++) for (const name of names(at)) different += keys.add(name) ? 1 : 0;
  for (let at = 0; at < 170_000; at++) for (const name of names(at)) again += keys.add(name) ? 0 : 1;
  expect([different, again]).toEqual([510_000, 510_000]);
});
