/** The bytes of docs/hazelcast.md, written by hand. */
import { omitEmpty, schema, u8, utf8 } from "@moonpack/pck";
import { expect, test } from "vitest";
import { moonpackSerialization, Packed, stored } from "../src/index.ts";
import { Player } from "./harness/schema-versions.ts";
import { bytesOf, serviceOf, valueIn } from "./harness/service.ts";

const Key = schema("Key", utf8("tenant"), u8("id"));
class TenantKey extends stored(1002, Key, { key: true }) {
  get partitionKey(): string {
    return this.tenant;
  }
}

const VECTORS: readonly (readonly [string, unknown, string])[] = [
  ["MessagePack", { a: 1 }, "00000000 00006d70 00000004 81a16101"],
  ["canonical MessagePack", new Packed({ b: 2, a: 1 }), "00000000 00006d71 00000007 82a16101a16202"],
  [
    "PCK",
    new Player({ name: "ann", score: 7, lives: 3 }),
    "00000000 000003e9 0000000f 0f83c27d6b4271bb 07000303616e6e",
  ],
];

const big = serviceOf(moonpackSerialization({ stored: [Player, TenantKey] }));
const little = serviceOf(moonpackSerialization({ stored: [Player, TenantKey], client: { isBigEndian: false } }));

test.each(VECTORS)("%s", (_, value, hex) => {
  expect(bytesOf(big, value)).toBe(hex.replaceAll(" ", ""));
  expect(valueIn(big, hex)).toEqual(value);
});

test.each(VECTORS)("%s, from a little-endian client: only the length differs", (_, value, hex) => {
  const [hash, typeId, length, ...payload] = hex.split(" ");
  const swapped = Buffer.from(length!, "hex").reverse().toString("hex");
  const expected = [hash, typeId, swapped, ...payload].join("");
  expect(bytesOf(little, value)).toBe(expected);
  expect(valueIn(little, expected)).toEqual(value);
});

test("a partition key becomes the hash, in both byte orders", () => {
  const key = new TenantKey({ tenant: "north", id: 7 });
  const sent = bytesOf(big, key);
  const hash = big.toData("north").getPartitionHash();
  expect(sent.slice(0, 8)).toBe((hash >>> 0).toString(16).padStart(8, "0"));
  expect(big.toData(key).getPartitionHash()).toBe(hash);
  expect(sent.slice(8, 24)).toBe(`000003ea${(8 + 7).toString(16).padStart(8, "0")}`);
  expect(valueIn(big, sent)).toEqual(key);
  // The hash of the text is over its bytes, in which the length is in the client's order.
  expect(bytesOf(little, key).slice(24)).toBe(sent.slice(24));
});

test("an empty object and an empty class", () => {
  class Note extends stored(1003, schema("Note", omitEmpty(utf8("text")))) {}
  const service = serviceOf(moonpackSerialization({ stored: [Note] }));
  expect(bytesOf(service, {})).toBe("0000000000006d700000000180");
  expect(bytesOf(service, new Note({}))).toMatch(/^00000000000003eb00000009.{16}00$/);
  expect(valueIn(service, bytesOf(service, new Note({})))).toEqual({ text: "" });
});
