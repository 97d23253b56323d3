/** Containers: chunks, options, limits, ownership of bytes. */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { cutAt, cutEvery } from "@moonpack/harness/cuts.ts";
import { concat, toHex } from "@moonpack/harness/hex.ts";
import {
  bytes,
  ContainerReader,
  ContainerWriter,
  codec,
  decodeContainer,
  encodeContainer,
  fingerprint,
  type Infer,
  renamed,
  schema,
  toDocument,
  u8,
  u64,
  utf8,
  withDefault,
} from "@moonpack/pck";
import { describe, expect, test } from "vitest";

const Player = schema("Player", utf8("name"), u64("score"));
const players: Infer<typeof Player>[] = [
  { name: "Ann", score: 3n },
  { name: "", score: 0n },
  { name: "Zoë", score: 2n ** 64n - 1n },
];
const whole = encodeContainer(Player, players);
const head = encodeContainer(Player, []);

describe("writing", () => {
  test("the head, then a frame for each value; a container without values", () => {
    const document = new TextEncoder().encode(JSON.stringify(toDocument(Player)));
    expect(toHex(head)).toBe(`50434b0177${toHex(document)}${toHex(fingerprint(Player))}`);
    expect(document.length).toBe(0x77);
    expect(toHex(whole.subarray(head.length))).toMatch(/^0c030000000000000003416e6e09/);
    expect(decodeContainer(head).values).toEqual([]);
    expect(decodeContainer(whole).values).toEqual(players);
  });

  test("a document instead of the schema gives the same bytes", () => {
    expect(encodeContainer<unknown>(toDocument(Player), players)).toEqual(whole);
  });

  test("a codec instead of the schema keeps its options and is compiled once", () => {
    expect(encodeContainer(codec(Player), players)).toEqual(whole);
    const loose = codec(Player, { maxDepth: 1 });
    expect(encodeContainer(loose, players)).toEqual(whole);
  });

  test("in parts: the bytes taken so far are a container, and are never written again", () => {
    const writer = new ContainerWriter(Player);
    const parts = [writer.take()];
    for (const player of players) {
      writer.add(player);
      parts.push(writer.take(1), writer.take());
      expect(writer.used).toBe(0);
    }
    expect(concat(...parts)).toEqual(whole);
    expect(writer.take()).toEqual(new Uint8Array(0));
    for (const count of [-1, 1, 0.5, "1"]) {
      expect(fault(() => writer.take(count as number))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });

  test("an invalid value throws with its index; the writer can be used further", () => {
    const writer = new ContainerWriter(Player);
    writer.add(players[0]!);
    const wrong = { name: "x", score: -1 };
    expect(fault(() => writer.add(wrong))).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$[1].score" });
    expect(caughtOurs(() => writer.add(wrong)).message).toMatch(/ \(at \$\[2\]\.score\)$/);
    writer.add(players[1]!);
    writer.add(players[2]!);
    expect(writer.take()).toEqual(whole);
  });

  test("a path that is too long for the message is complete in `path`", () => {
    const name = "n".repeat(300);
    const error = caughtOurs(() => encodeContainer(schema(utf8(name)), [{ [name]: 1 } as never]));
    expect(error).toMatchObject({ path: `$[0].${name}`, code: "ERR_UNSUPPORTED_TYPE" });
    expect(error.message).toMatch(/^expected a string, not 1 \(at \$\[0\]\.n{100,250}\.\.\)$/);
  });

  test("a value above maxFrameBytes is not written", () => {
    const writer = new ContainerWriter(Player, { maxFrameBytes: 12 });
    writer.add(players[0]!);
    expect(fault(() => writer.add({ name: "Anna", score: 0n }))).toEqual({ code: "ERR_FRAME_TOO_LARGE" });
    writer.add(players[1]!);
    expect(decodeContainer(writer.take()).values).toEqual(players.slice(0, 2));
  });
});

describe("reading", () => {
  test("the head: document, schema, fingerprint", () => {
    const { document, schema } = decodeContainer(whole);
    expect(document).toEqual(toDocument(Player));
    expect(fingerprint(schema)).toEqual(fingerprint(Player));
  });

  test("the options of a codec", () => {
    expect(decodeContainer(whole.subarray(0, head.length + 13), { int64: "number" }).values).toEqual([
      { name: "Ann", score: 3 },
    ]);
    expect(fault(() => decodeContainer(whole, { int64: "number" }))).toEqual({
      code: "ERR_UNSAFE_INTEGER",
      offset: head.length + 24,
      needMore: 0,
    });
    expect(fault(() => decodeContainer(whole, { int64: 1 as never }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => decodeContainer(whole, { maxFrameBytes: -1 }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => decodeContainer(whole, { maxFrameBytes: 9 }))).toEqual({
      code: "ERR_FRAME_TOO_LARGE",
      offset: head.length,
      needMore: 0,
    });
  });

  test("maxFrameBytes does not limit the document", () => {
    const { length } = JSON.stringify(toDocument(Player));
    expect(decodeContainer(whole, { maxFrameBytes: 13 }).values.length).toBe(3);
    expect(length).toBeGreaterThan(13);
  });

  test("the head is available after its last byte, a value after its last byte", () => {
    const reader = new ContainerReader<Infer<typeof Player>>();
    for (const byte of head) {
      expect(reader.head).toBe(null);
      expect([...reader.push(Uint8Array.of(byte))]).toEqual([]);
    }
    expect(reader.head?.size).toBe(head.length);
    expect(reader.offset).toBe(head.length);
    const seen: string[] = [];
    for (const byte of whole.subarray(head.length)) {
      for (const { name } of reader.push(Uint8Array.of(byte))) seen.push(`${name} at ${reader.valueAt - head.length}`);
    }
    expect(seen).toEqual(["Ann at 1", " at 14", "Zoë at 24"]);
    reader.end();
    expect(reader.offset).toBe(whole.length);
  });

  test("pushing without pulling; stopping and continuing to pull", () => {
    const reader = new ContainerReader();
    for (const part of cutEvery(whole, 10)) reader.push(part);
    const [first] = reader;
    const second = reader.next();
    expect([first, second, ...reader]).toEqual(players);
    expect(reader.next()).toBe(null);
    reader.end();
  });

  test("a reader is closed after its end and after an error", () => {
    const ended = new ContainerReader();
    [...ended.push(whole)];
    ended.end();
    ended.end();
    expect(fault(() => ended.push(whole))).toEqual({ code: "ERR_CLOSED" });
    const failed = new ContainerReader();
    expect(fault(() => failed.push(Uint8Array.of(1)))).toEqual({ code: "ERR_INVALID_BYTE", offset: 0, needMore: 0 });
    expect(failed.closed).toBe(true);
    expect(failed.next()).toBe(null);
    failed.end();
    expect(fault(() => failed.push(whole))).toEqual({ code: "ERR_CLOSED" });
  });

  test("a forged length costs nothing: no memory is allocated ahead of the bytes", () => {
    const reader = new ContainerReader();
    const forged = concat(Uint8Array.of(0x50, 0x43, 0x4b, 1), Uint8Array.of(0x80, 0x80, 0x80, 0x20));
    reader.push(forged);
    expect(fault(() => reader.end())).toEqual({ code: "ERR_TRUNCATED", offset: 4, needMore: 64 * 1024 * 1024 });
    expect(fault(() => decodeContainer(concat(forged.subarray(0, 4), Uint8Array.of(0x81, 0x80, 0x80, 0x20))))).toEqual({
      code: "ERR_FRAME_TOO_LARGE",
      offset: 4,
      needMore: 0,
    });
  });

  test("binary is a copy, or a view of the input by option", () => {
    const Blob = schema(bytes("data"));
    const container = encodeContainer(Blob, [{ data: Uint8Array.of(1, 2, 3) }]);
    const [copied] = decodeContainer<Infer<typeof Blob>>(container).values;
    const [viewed] = decodeContainer<Infer<typeof Blob>>(container, { binary: "view" }).values;
    container.fill(9);
    expect(copied!.data).toEqual(Uint8Array.of(1, 2, 3));
    expect(viewed!.data).toEqual(Uint8Array.of(9, 9, 9));
    expect(viewed!.data.buffer).toBe(container.buffer);
  });

  test("thousands of values: generated code reads the same values as closures", () => {
    const many = Array.from({ length: 2500 }, (_, i) => ({ name: `p${i}`, score: BigInt(i) }));
    const container = encodeContainer(Player, many);
    for (const options of [{}, { codeGeneration: false }, { codeGeneration: true }]) {
      expect(decodeContainer(container, options).values).toEqual(many);
    }
    expect(fault(() => decodeContainer(container.subarray(0, -1)))).toMatchObject({ code: "ERR_TRUNCATED" });
    container[container.length - 1] = 0xff;
    expect(fault(() => decodeContainer(container))).toMatchObject({ code: "ERR_INVALID_UTF8" });
  });

  test("any bytes: a part of a buffer, a DataView, a buffer", () => {
    const wide = concat(Uint8Array.of(7, 7), whole, Uint8Array.of(7));
    const inside = new DataView(wide.buffer, 2, whole.length);
    expect(decodeContainer(inside).values).toEqual(players);
    expect(decodeContainer(whole.slice().buffer).values).toEqual(players);
  });
});

describe("reading as another schema", () => {
  const Newer = schema("Player", renamed(utf8("title"), "name"), u64("score"), withDefault(u8("level"), 7));

  test("values of an older schema are returned as values of the newer one", () => {
    const { values, document } = decodeContainer(whole, { reader: Newer });
    expect(values[0]).toEqual({ title: "Ann", score: 3n, level: 7 });
    expect(values.length).toBe(3);
    expect(document).toEqual(toDocument(Player));
    expect(decodeContainer(whole, { reader: Player, int64: "bigint" }).values).toEqual(players);
  });

  test("schemas that do not fit throw after the head, before any value", () => {
    const reader = new ContainerReader({ reader: schema(u8("name")) });
    expect(fault(() => reader.push(whole))).toEqual({ code: "ERR_SCHEMA" });
    expect(reader.closed).toBe(true);
    expect(reader.next()).toBe(null);
  });

  test("offsets of errors count from the start of the container", () => {
    const broken = whole.slice();
    broken[head.length + 10] = 0xff;
    expect(fault(() => decodeContainer(broken, { reader: Newer }))).toEqual({
      code: "ERR_INVALID_UTF8",
      offset: head.length + 9,
      needMore: 0,
    });
  });
});

test("three chunks, cut anywhere", () => {
  for (let i = 0; i < whole.length; i += 3) {
    for (let j = i; j < whole.length; j += 5) {
      const reader = new ContainerReader();
      const values = cutAt(whole, [i, j]).flatMap((part) => [...reader.push(part)]);
      reader.end();
      expect(values).toEqual(players);
    }
  }
});
