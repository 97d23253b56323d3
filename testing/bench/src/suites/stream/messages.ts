import { encode } from "@msgpack/msgpack";
import { workloads } from "../../workloads/index.js";
import { Random, times } from "../../workloads/random.js";
import { ENGLISH, ideographs, prose } from "../../workloads/text.js";

/** A record of about 700 bytes with nested values, texts of both kinds and numbers of all sizes. */
function record(random: Random, index: number): unknown {
  return {
    id: index,
    title: prose(random, ENGLISH, random.integer(20, 80)),
    headline: ideographs(random, random.integer(12, 120)),
    score: random.next() * 1000,
    visits: random.integer(0, 2_000_000_000),
    published: random.chance(0.8),
    parent: null,
    tags: times(random.integer(1, 5), () => random.hex(6)),
    author: {
      name: ideographs(random, 9),
      handle: random.hex(10),
      place: { city: prose(random, ENGLISH, 12), coordinates: [random.next() * 90, random.next() * 180] },
    },
    replies: times(random.integer(0, 3), () => ({
      by: random.hex(8),
      at: 1_700_000_000 + random.integer(0, 60_000_000),
      votes: random.integer(-20, 120),
      text: prose(random, ENGLISH, random.integer(10, 160)),
    })),
  };
}

/** One message of about this many bytes, and its value; written by @msgpack/msgpack, as in the races. */
export function largeMessage(bytes: number): { readonly value: unknown; readonly bytes: Uint8Array } {
  const random = new Random(31);
  const value: unknown[] = [];
  for (let size = 0; size < bytes; ) {
    const each = record(random, value.length);
    size += encode(each).length;
    value.push(each);
  }
  return { value, bytes: encode(value) };
}

/** The values of a workload of small messages, repeated up to `count`. */
export function smallValues(workload: string, count: number): unknown[] {
  const values = workloads.find(({ id }) => id === workload)!.values(false);
  return times(count, (index) => values[index % values.length]);
}

/** Consecutive messages, written by @msgpack/msgpack. */
export function messagesOf(values: readonly unknown[]): Buffer {
  return Buffer.concat(values.map((value) => encode(value)));
}
