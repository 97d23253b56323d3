/**
 * Every prefix and every damaged byte of some messages. With our Reader, generated code accepts the same bytes as with 8.8's
 * Reader, reads the same values, and throws for the rest. differences-reader.node.test.ts shows where 7.6's Reader differs.
 */

import { none } from "@moonpack/harness/each.ts";
import { share, stride } from "@moonpack/harness/effort.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Reader } from "@moonpack/protobuf";
import { DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { messageDifference } from "./message-difference.ts";
import { randomMessage } from "./messages.ts";
import { everyWay, type MessageClass, protobuf8, reflected } from "./protobufjs.ts";
import { withOriginals } from "./with-originals.ts";

withOriginals();

type Outcome = { readonly message: object } | { readonly error: unknown };

function outcome(message: MessageClass, reader: Reader): Outcome {
  try {
    return { message: message.decode(reader) };
  } catch (error) {
    return { error };
  }
}

/** Errors that generated code throws itself, `ProtocolError` of 7.6 and 8.8 included. */
const OF_GENERATED_CODE =
  /^(index out of range|max(imum nesting)? depth exceeded|missing end group|missing required '\w+')$/;

interface Seen {
  accepted: number;
  refused: number;
}

function compare(message: MessageClass, bytes: Uint8Array, what: string, seen: Seen): void {
  const want = outcome(message, new protobuf8.Reader(bytes));
  const got = outcome(message, new Reader(bytes));
  const problem = (text: string): Error => new Error(`${what}: ${text}, ${toHex(bytes)}`);
  if ("message" in want) {
    if (!("message" in got)) throw problem(`refused: ${got.error}`);
    const difference = messageDifference(got.message, want.message);
    if (difference !== null) throw problem(difference);
    seen.accepted++;
    return;
  }
  if ("message" in got) throw problem(`accepted, against ${want.error}`);
  seen.refused++;
  const { error } = got;
  if (error instanceof DecodeError) {
    if (!(error.offset >= 0 && error.offset <= bytes.length && error.needMore >= 0))
      throw problem(`offset ${error.offset}`);
  } else if (!(error instanceof Error && OF_GENERATED_CODE.test(error.message))) throw problem(`not ours: ${error}`);
}

const SCHEMAS = [
  ["everything", "moon.Everything", 41],
  ["old", "older.Old", 45],
] as const;

for (const [schema, path, seed] of SCHEMAS) {
  const type = reflected(protobuf8, schema, path);
  const ways = everyWay(schema, path);
  const random = randomSource(seed);
  const samples: Uint8Array[] = [];
  while (samples.length < 24) {
    const bytes = new Uint8Array(type.encode(randomMessage(type, random, 2)).finish());
    if (bytes.length > 20 && bytes.length < 260) samples.push(bytes);
  }

  describe(path, () => {
    for (const { name, message } of ways) {
      test(`${name}: every prefix`, () => {
        const seen = { accepted: 0, refused: 0 };
        for (const bytes of samples) {
          for (let end = 0; end <= bytes.length; end++) compare(message, bytes.slice(0, end), `prefix of ${end}`, seen);
        }
        expect(seen.accepted).toBeGreaterThan(20);
        expect(seen.refused).toBeGreaterThan(1000);
      });

      test(`${name}: every value of every byte`, () => {
        const seen = { accepted: 0, refused: 0 };
        for (const original of samples.filter(({ length }) => length < 100).slice(0, 4)) {
          const bytes = original.slice();
          for (let at = 0; at < bytes.length; at++) {
            for (let value = 0; value < 256; value += stride(1)) {
              bytes[at] = value;
              compare(message, bytes, `byte ${at} as ${value}`, seen);
            }
            bytes[at] = original[at]!;
          }
        }
        expect(seen.accepted).toBeGreaterThan(5000 / (2 * stride(1) - 1));
        expect(seen.refused).toBeGreaterThan(5000 / (2 * stride(1) - 1));
      });

      test(`${name}: several damaged, missing and repeated bytes`, () => {
        const seen = { accepted: 0, refused: 0 };
        const choose = randomSource(seed + 1);
        for (let i = 0; i < share(3000); i++) {
          const bytes = [...samples[choose(samples.length)]!];
          for (let k = choose(4); k >= 0; k--) {
            const at = choose(bytes.length);
            const kind = choose(4);
            if (kind === 0) bytes.splice(at, 1 + choose(3));
            else if (kind === 1) bytes.splice(at, 0, ...bytes.slice(at, at + choose(12)));
            else bytes[at] = kind === 2 ? choose(256) : bytes[at]! ^ (1 << choose(8));
          }
          compare(message, Uint8Array.from(bytes), `mutation ${i}`, seen);
        }
        expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(share(200));
      });
    }

    test("8's code that keeps unknown fields", () => {
      const choose = randomSource(seed + 2);
      for (const { name, message, original } of ways) {
        if (original.version === 7) continue;
        for (let i = 0; i < share(2000); i++) {
          const bytes = samples[choose(samples.length)]!.slice();
          bytes[choose(bytes.length)] = choose(256);
          const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
          theirs.discardUnknown = ours.discardUnknown = false;
          const [want, got] = [outcome(message, theirs), outcome(message, ours)];
          expect("message" in got, toHex(bytes)).toBe("message" in want);
          if ("message" in want && "message" in got)
            none(messageDifference(got.message, want.message), `${name}, ${toHex(bytes)}`);
        }
      }
    });
  });
}
