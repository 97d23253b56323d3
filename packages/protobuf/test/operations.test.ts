/** Calls in any order write the bytes of each call, one after the other. */

import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer, concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { type Call, randomCall, randomPacked } from "./model.ts";

function check(calls: readonly Call[], writer: Writer, what: string): void {
  let length = 0;
  for (const call of calls) {
    expect(call.apply(writer) === writer, call.name).toBe(true);
    length += call.bytes.length;
    if (writer.pos !== length || writer.len !== length)
      throw new Error(`${what}, ${call.name}: pos ${writer.pos}, not ${length}`);
  }
  none(bytesDiffer(writer.finish(), concat(...calls.map((call) => call.bytes))), what);
}

describe("sequences of calls", () => {
  test("each call alone, on one Writer that is reset", () => {
    const random = randomSource(1);
    const writer = new Writer();
    for (let i = 0; i < 2000; i++) {
      const call = i % 2 === 0 ? randomCall(random) : randomPacked(random);
      check([call], writer.reset(), `call ${i}, ${call.name}`);
    }
  });

  test("up to 200 calls, on new Writers", () => {
    const random = randomSource(2);
    for (let i = 0; i < 80; i++) {
      check(
        Array.from({ length: random(200) }, () => randomCall(random)),
        new Writer(),
        `sequence ${i}`,
      );
    }
  });

  test("finish after every call, in every way", () => {
    const random = randomSource(3);
    for (let i = 0; i < 40; i++) {
      const writer = new Writer();
      let all: Uint8Array = new Uint8Array(0);
      for (let k = 0; k < 30; k++) {
        const call = randomCall(random);
        call.apply(writer);
        all = concat(all, call.bytes);
        if (random(2) === 0) none(bytesDiffer(writer.finish(), all), `finish ${i} ${k}`);
        if (random(3) === 0) none(bytesDiffer(writer.finish(true), all), `finish(true) ${i} ${k}`);
        if (random(3) === 0) {
          const target = new Uint8Array(all.length + 5);
          expect(writer.finishInto(target, 3) === target).toBe(true);
          none(bytesDiffer(target.subarray(3, 3 + all.length), all), `finishInto ${i} ${k}`);
          expect([target[0], target[2], target[all.length + 3]]).toEqual([0, 0, 0]);
        }
      }
    }
  });

  test("memory grows at every kind of call", () => {
    const random = randomSource(4);
    for (let i = 0; i < 60; i++) {
      // The block has only a few bytes left when the call comes: 8 KB first, then the next sizes.
      for (const size of [8192, 16_384, 262_144]) {
        const filling = new Uint8Array(size - random(24)).fill(7);
        const call = random(2) === 0 ? randomCall(random) : randomPacked(random);
        const writer = new Writer().raw(filling);
        call.apply(writer);
        none(bytesDiffer(writer.finish(), concat(filling, call.bytes)), `${size}, ${call.name}`);
      }
    }
  });
});
