/** Names and keys that strangers chose: they cost neither memory for empty arrays nor time in full buckets. */

import { map, schema, toDocument, UTF8, UVAR } from "@moonpack/pck";
import { keyFlood } from "moonpack/bytes";
import { expect, test } from "vitest";
import { fileOf, moonpackProcess } from "./run.js";
import { folderWith } from "./schemas.js";

const OBJECTS = 20_000;
/** V8 would keep each object with this name as an array of 12 KB: 250 MB. */
const NAME = "1023";
const env = { NODE_OPTIONS: "--max-old-space-size=160" };

const lines = (line: (i: number) => string) => Array.from({ length: OBJECTS }, (_, i) => line(i)).join("\n");

test.each([
  ["a.lp", lines((i) => `m,${NAME}=${i} v=1 5000000`)],
  ["a.prom", lines((i) => `m{"${NAME}"="${i}"} 1 5`)],
  ["a.ndjson", lines((i) => `{"name":"m","tags":{"${NAME}":"${i}"},"timestamp":5,"value":1}`)],
  ["a.csv", `name,timestamp,value,tag:${NAME}\n${lines((i) => `m,5,1,${i}`)}`],
])("series import of %s: metrics with a tag named 1023", async (name, text) => {
  const { code, stdout, stderr } = await moonpackProcess(["series", "import", "metrics", fileOf(name, text)], { env });
  expect([code, stderr, stdout.toString()]).toEqual([0, "", "20,000 points imported into metrics\n"]);
});

// Integers beyond 2^53 are read by our own parser, not by JSON.parse.
test("pack of objects with the name 1023", async () => {
  const file = fileOf("a.json", `[${lines((i) => `{"${NAME}":${2n ** 60n + BigInt(i)}}`).replaceAll("\n", ",")}]`);
  const { code, stderr } = await moonpackProcess(["pack", file], { env });
  expect([code, stderr]).toEqual([0, ""]);
});

test("convert --schema: maps whose keys were chosen to collide", async () => {
  const Ages = schema("Ages", map("ages", UVAR, UTF8));
  const flood = () => {
    const guard = keyFlood(256)!;
    for (let i = 0; i < 32; i++) guard.isFull(0);
    return guard;
  };
  const keys: number[] = [];
  for (let key = 1; keys.length < 200; key++) if (flood().isFull(key)) keys.push(key);
  const cwd = folderWith({
    "ages.json": JSON.stringify(toDocument(Ages)),
    "in.json": JSON.stringify({ ages: keys.map((key) => [key, ""]) }),
  });
  const { code, stderr } = await moonpackProcess(["convert", "in.json", "out.bin", "--schema", "ages.json"], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining("ERR_LIMIT_ELEMENTS: keys that were chosen to collide")]);
});
