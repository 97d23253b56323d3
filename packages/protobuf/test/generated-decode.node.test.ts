/** The code that protobuf.js 7.6 and 8.8 generate reads the same messages with our Reader as with its own. */

import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer, concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Reader, Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { messageDifference } from "./message-difference.ts";
import { randomMessage } from "./messages.ts";
import { everyWay, protobuf8, reflected, SCHEMAS } from "./protobufjs.ts";
import { withOriginals } from "./with-originals.ts";

withOriginals();

for (const [schema, path] of SCHEMAS) {
  const type = reflected(protobuf8, schema, path);
  const ways = everyWay(schema, path);

  describe(path, () => {
    test("random messages", () => {
      const random = randomSource(31);
      for (let i = 0; i < 150; i++) {
        const bytes = new Uint8Array(ways[3]!.message.encode(randomMessage(type, random)).finish());
        for (const { name, original, message } of ways) {
          const want = message.decode(new original.Reader(bytes));
          const reader = new Reader(bytes);
          none(messageDifference(message.decode(reader), want), `message ${i}, ${name}`);
          expect([reader.pos, reader.len]).toEqual([bytes.length, bytes.length]);
          none(
            messageDifference(message.decode(new Reader(Buffer.from(bytes))), message.decode(Buffer.from(bytes))),
            `${i}, ${name}, a Buffer`,
          );
        }
      }
    });

    test("decodeDelimited of several messages; decoded messages are encoded again", () => {
      const random = randomSource(32);
      for (let i = 0; i < 50; i++) {
        const messages = [0, 1, 2].map(() => randomMessage(type, random, 2));
        for (const { name, original, message } of ways) {
          const writer = new Writer();
          for (const one of messages) message.encode(one, writer.fork()).ldelim();
          const bytes = writer.finish();
          const [theirs, ours] = [new original.Reader(bytes), new Reader(bytes)];
          for (const plain of messages) {
            const want = message.decodeDelimited(theirs);
            const got = message.decodeDelimited(ours);
            none(messageDifference(got, want), `message ${i}, ${name}`);
            expect(ours.pos).toBe(theirs.pos);
            // 7.6 writes 64-bit keys, which are hashes now, as 0: see differences-writer.
            if (original.version === 7 && /"m_[a-z]*64"/.test(JSON.stringify(plain))) continue;
            none(
              bytesDiffer(message.encode(got, new Writer()).finish(), message.encode(want).finish()),
              `again, ${name}`,
            );
          }
          expect(() => message.decodeDelimited(ours)).toThrow();
        }
      }
    });

    test("a message with a given length among other bytes", () => {
      const random = randomSource(33);
      for (let i = 0; i < 60; i++) {
        const content = new Uint8Array(ways[3]!.message.encode(randomMessage(type, random, 2)).finish());
        const bytes = concat(new Uint8Array(7), content, new Uint8Array(9).fill(0xff));
        for (const { name, original, message } of ways) {
          const [theirs, ours] = [new original.Reader(bytes), new Reader(bytes)];
          theirs.pos = ours.pos = 7;
          none(messageDifference(message.decode(ours, content.length), message.decode(theirs, content.length)), name);
          expect([ours.pos, ours.len]).toEqual([theirs.pos, theirs.len]);
        }
      }
    });
  });
}

describe("unknown fields", () => {
  test("unknown fields are skipped, and kept if 8's code is set to", () => {
    const everything = reflected(protobuf8, "everything", "moon.Everything");
    const random = randomSource(34);
    for (const { name, original, message } of everyWay("everything", "moon.Leaf")) {
      for (let i = 0; i < 60; i++) {
        // Each schema does not know most fields of the other.
        const plain = { ...randomMessage(everything, random, 2), f_double: undefined, f_float: undefined };
        const bytes = new Uint8Array(everything.encode(plain).finish());
        for (const discard of [true, false]) {
          const [theirs, ours] = [new original.Reader(bytes), new Reader(bytes)];
          theirs.discardUnknown = ours.discardUnknown = discard;
          none(
            messageDifference(message.decode(ours), message.decode(theirs)),
            `message ${i}, ${name}, discard: ${discard}`,
          );
        }
      }
    }
  });

  test("unknown groups of any nesting too", () => {
    const bytes = new Writer()
      .uint32(83)
      .uint32(8)
      .int32(5)
      .uint32(11)
      .uint32(18)
      .string("x")
      .uint32(12)
      .uint32(84)
      .uint32(8)
      .int32(7);
    for (const { message } of everyWay("everything", "moon.Leaf")) {
      const got = message.decode(new Reader(bytes.finish())) as { a: number };
      expect(got.a).toBe(7);
    }
  });
});
