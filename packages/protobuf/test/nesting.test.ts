/** Random trees of fork, ldelim and reset, with finish at any place, compared with concatenated lists. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { bytesDiffer, concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { delimited, type Random, randomCall } from "./model.ts";

/** The same operations on lists of byte arrays, the innermost message last. */
class ConcatenatingWriter {
  private levels: Uint8Array[][] = [[]];

  get depth(): number {
    return this.levels.length - 1;
  }

  add(bytes: Uint8Array): void {
    this.levels.at(-1)!.push(bytes);
  }

  fork(): void {
    this.levels.push([]);
  }

  /** Without a fork, the length of the whole message is put before it. */
  ldelim(): void {
    const content = concat(...this.levels.pop()!);
    if (this.levels.length === 0) this.levels.push([]);
    this.add(delimited(content));
  }

  reset(): void {
    this.levels.pop();
    if (this.levels.length === 0) this.levels.push([]);
  }

  /** Open messages have one byte for their length. */
  bytes(): Uint8Array<ArrayBuffer> {
    const open = this.levels.map((parts, i) => (i === 0 ? parts : [Uint8Array.of(0), ...parts]));
    return concat(...open.flat());
  }
}

/** Sizes around which lengths need another byte, or content moves in another way. */
const SIZES = [126, 127, 128, 129, 1022, 1023, 1024, 1025, 1026, 16_382, 16_383, 16_384, 16_385];
const LARGE = [90_000, 300_000, 700_000, 1_048_575];
const LONG = [2_097_149, 2_097_150, 2_097_151, 2_097_152, 2_097_153];

function step(random: Random, writer: Writer, model: ConcatenatingWriter): void {
  const kind = random(100);
  if (kind < 35) {
    const call = randomCall(random);
    call.apply(writer);
    model.add(call.bytes);
  } else if (kind < 45) {
    const filling = new Uint8Array(SIZES[random(random(4) === 0 ? SIZES.length : 9)]! - random(4)).fill(kind);
    writer.raw(filling);
    model.add(filling);
  } else if (kind < 70) {
    writer.fork();
    model.fork();
  } else if (kind < 94) {
    if (model.depth === 0 && random(5) > 0) return;
    writer.ldelim();
    model.ldelim();
  } else if (kind < 97) {
    if (model.depth === 0 && random(10) > 0) return;
    writer.reset();
    model.reset();
  } else {
    none(bytesDiffer(writer.finish(kind === 97), model.bytes()), "finish in the middle");
  }
  const { length } = model.bytes();
  if (writer.pos !== length || writer.len !== length) throw new Error(`pos ${writer.pos}, not ${length}`);
}

describe("nested messages", () => {
  test("random trees", () => {
    const random = randomSource(11);
    for (let i = 0; i < 120; i++) {
      const writer = new Writer();
      const model = new ConcatenatingWriter();
      for (let k = random(160); k > 0; k--) step(random, writer, model);
      none(bytesDiffer(writer.finish(), model.bytes()), `tree ${i}`);
      while (model.depth > 0) {
        writer.ldelim();
        model.ldelim();
      }
      none(bytesDiffer(writer.finish(), model.bytes()), `closed tree ${i}`);
    }
  });

  test("random trees on one Writer, one after the other", () => {
    const random = randomSource(12);
    const writer = new Writer();
    for (let i = 0; i < 100; i++) {
      const model = new ConcatenatingWriter();
      for (let k = random(60); k > 0; k--) step(random, writer, model);
      none(bytesDiffer(writer.finish(), model.bytes()), `tree ${i}`);
      while (model.depth > 0) {
        writer.reset();
        model.reset();
      }
      writer.reset();
    }
  });

  test("random trees that are too large to be copied when memory grows", () => {
    const random = randomSource(13);
    const writer = new Writer();
    for (let i = 0; i < (isWhole ? 20 : 4); i++) {
      const model = new ConcatenatingWriter();
      for (let k = 10 + random(60); k > 0; k--) {
        if (random(3) > 0) step(random, writer, model);
        else {
          const filling = new Uint8Array(LARGE[random(LARGE.length)]! + random(4)).fill(k);
          writer.raw(filling);
          model.add(filling);
        }
      }
      const want = model.bytes();
      none(bytesDiffer(writer.finish(), want), `tree ${i}`);
      none(bytesDiffer(writer.finishInto(new Uint8Array(want.length + 3), 3).subarray(3), want), `copied ${i}`);
      none(bytesDiffer(writer.finish(random(2) === 0), want), `again ${i}`);
      while (model.depth > 0) {
        writer.ldelim();
        model.ldelim();
      }
      none(bytesDiffer(writer.ldelim().finish(), delimited(model.bytes())), `delimited ${i}`);
      writer.reset();
    }
  });

  test("reset forgets an open message that has several blocks, from any place", () => {
    for (const before of [0, 10, 5000, 1_500_000]) {
      const writer = new Writer().raw(new Uint8Array(before).fill(1)).fork();
      for (let i = 0; i < 3; i++) {
        for (let k = 0; k < 9; k++) writer.fork().raw(new Uint8Array(400_000).fill(k));
        for (let k = 0; k < 9; k++)
          if ((k + i) % 3 === 0) writer.ldelim();
          else writer.reset();
        writer.reset().fork();
        expect(writer.pos).toBe(before + 1);
      }
      for (let k = 0; k < 40; k++) writer.raw(new Uint8Array(40_000).fill(k));
      const content = concat(...Array.from({ length: 40 }, (_, k) => new Uint8Array(40_000).fill(k)));
      none(
        bytesDiffer(writer.ldelim().finish(), concat(new Uint8Array(before).fill(1), delimited(content))),
        `${before}`,
      );
    }
  });

  test("a large message throws after its view was transferred; otherwise it continues", () => {
    const writer = new Writer().fork().raw(new Uint8Array(3_000_000).fill(7));
    const view = writer.finish(true);
    structuredClone(view, { transfer: [view.buffer] });
    expect(fault(() => writer.finish())).toEqual({ code: "ERR_CLOSED" });
    writer.reset().reset();
    for (let i = 0; i < 3; i++) {
      writer.fork().raw(new Uint8Array(1_500_000).fill(i));
      expect(writer.finish(true).length).toBe(writer.pos);
      writer.ldelim();
    }
    const want = concat(...[0, 1, 2].map((i) => delimited(new Uint8Array(1_500_000).fill(i))));
    none(bytesDiffer(writer.finish(), want));
  });

  test("every size at which the length grows, at every depth, with siblings", () => {
    for (const size of [0, 1, ...SIZES, ...(isWhole ? LONG : [])]) {
      for (const depth of [1, 2, 3]) {
        for (const sibling of [0, 5, 200]) {
          const writer = new Writer();
          const model = new ConcatenatingWriter();
          for (let i = 0; i < depth; i++) {
            writer.uint32(10).fork();
            model.add(Uint8Array.of(10));
            model.fork();
            writer.raw(new Uint8Array(sibling)).fork().raw(new Uint8Array(sibling)).ldelim();
            model.add(concat(new Uint8Array(sibling), delimited(new Uint8Array(sibling))));
          }
          writer.raw(new Uint8Array(size).fill(1));
          model.add(new Uint8Array(size).fill(1));
          for (let i = 0; i < depth; i++) {
            writer.ldelim().uint32(i);
            model.ldelim();
            model.add(Uint8Array.of(i));
          }
          none(bytesDiffer(writer.finish(), model.bytes()), `${size} bytes, ${depth} deep, ${sibling} beside`);
        }
      }
    }
  });

  test("finish with open messages writes one byte for each open length, and writing continues", () => {
    const writer = new Writer()
      .uint32(8)
      .fork()
      .string("x".repeat(300))
      .fork()
      .raw(new Uint8Array(20_000))
      .ldelim()
      .fork();
    const middle = writer.finish();
    expect([...middle.subarray(0, 4)]).toEqual([8, 0, 0xac, 2]);
    expect(middle.length).toBe(writer.pos);
    expect(middle[middle.length - 1]).toBe(0);
    writer.bool(true).ldelim().ldelim();
    const inner = concat(
      delimited(new Uint8Array(300).fill(0x78)),
      delimited(new Uint8Array(20_000)),
      Uint8Array.of(1, 1),
    );
    none(bytesDiffer(writer.finish(), concat(Uint8Array.of(8), delimited(inner))));
  });

  test("reset forgets an open message and its nested messages, deferred lengths too", () => {
    const writer = new Writer().string("kept").fork();
    for (let i = 0; i < 3; i++) writer.fork().raw(new Uint8Array(5000)).ldelim();
    writer.fork().raw(new Uint8Array(3000));
    expect(writer.reset().pos).toBe(5 + 1 + 3 * 5002);
    expect(writer.reset().pos).toBe(5);
    expect([...writer.bool(true).finish()]).toEqual([4, 107, 101, 112, 116, 1]);
    expect(writer.reset().finish().length).toBe(0);
  });

  test("each ldelim without a fork puts the length of the whole message before it", () => {
    for (const size of [0, 1, 127, 128, 5000, 16_384, 1_048_575, 1_048_576, 2_097_150, 2_097_152]) {
      let want = new Uint8Array(size).fill(3);
      const writer = new Writer().raw(want);
      for (let i = 0; i < 3; i++) {
        want = delimited(want);
        writer.ldelim();
        expect(writer.pos).toBe(want.length);
      }
      none(bytesDiffer(writer.finish(), want), String(size));
      none(bytesDiffer(writer.ldelim().bool(true).finish(), concat(delimited(want), Uint8Array.of(1))), String(size));
    }
  });
});
