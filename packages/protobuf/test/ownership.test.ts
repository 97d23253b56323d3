/** Results of a Writer never change. If a caller transfers the memory, the Writer throws instead of losing bytes. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer, concat, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { transferAway } from "@moonpack/harness/transfer.ts";
import { Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { delimited, type Random, randomCall } from "./model.ts";

const SIZES = [0, 1, 60, 64, 65, 300, 2000, 2048, 2049, 9000, 70_000, 300_000];

function filled(size: number, value: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(size).fill(value);
}

describe("Writers that are reused", () => {
  test("a Writer that continues after finish does not write into another's message", () => {
    const a = new Writer().string("first");
    const first = a.finish();
    const b = new Writer().string("BBBB");
    a.string("AAAA");
    expect(toHex(b.finish())).toBe("0442424242");
    expect(toHex(a.finish())).toBe("0566697273740441414141");
    expect(toHex(first)).toBe("056669727374");
    a.reset().string("again");
    expect(toHex(b.string("C").finish())).toBe("04424242420143");
    expect(toHex(a.finish())).toBe("05616761696e");
  });

  test("many Writers at once, in any order: each has its own bytes, results never change", () => {
    const random = randomSource(71);
    const writers = Array.from({ length: 8 }, () => ({ writer: new Writer(), bytes: new Uint8Array(0) }));
    const results: { readonly result: Uint8Array; readonly want: Uint8Array }[] = [];
    for (let i = 0; i < 6000; i++) {
      const at = random(writers.length);
      const one = writers[at]!;
      const kind = random(20);
      if (kind < 13) {
        const call = randomCall(random);
        call.apply(one.writer);
        one.bytes = concat(one.bytes, call.bytes);
      } else if (kind < 15) {
        one.bytes = concat(one.bytes, filled(SIZES[random(9)]!, i));
        one.writer.raw(one.bytes.subarray(one.bytes.length)).reset().raw(one.bytes);
      } else if (kind < 18) {
        const result = one.writer.finish();
        none(bytesDiffer(result, one.bytes), `step ${i}`);
        results.push({ result, want: one.bytes });
      } else if (kind === 18) {
        none(bytesDiffer(one.writer.finish(true), one.bytes), `step ${i}, shared`);
        one.writer.reset();
        one.bytes = new Uint8Array(0);
      } else {
        // Dropped with an open message.
        one.writer.fork().string("never finished");
        writers[at] = { writer: new Writer(), bytes: new Uint8Array(0) };
      }
      if (one.bytes.length > 20_000) {
        one.writer.reset();
        one.bytes = new Uint8Array(0);
      }
    }
    expect(results.length).toBeGreaterThan(500);
    for (const { result, want } of results) none(bytesDiffer(result, want), "a result, at the end");
  });

  test("repeated finish at every size, then more bytes", () => {
    for (const size of SIZES) {
      const content = filled(size, 5);
      const writer = new Writer().raw(content);
      const [first, second] = [writer.finish(), writer.finish()];
      expect(first === second).toBe(false);
      none(bytesDiffer(first, content), `first of ${size}`);
      none(bytesDiffer(second, content), `second of ${size}`);
      none(bytesDiffer(writer.finish(true), content), `shared, of ${size}`);
      const other = new Writer().raw(filled(size + 10, 9));
      none(
        bytesDiffer(
          writer.fork().raw(filled(200, 6)).ldelim().finish(),
          concat(content, Uint8Array.of(200, 1), filled(200, 6)),
        ),
        `more, of ${size}`,
      );
      none(bytesDiffer(other.finish(), filled(size + 10, 9)), `other of ${size}`);
      none(bytesDiffer(first, content), `first of ${size}, at the end`);
    }
  });

  test("writing to a result changes no other result and no Writer", () => {
    for (const size of SIZES) {
      const [a, b] = [new Writer().raw(filled(size, 1)), new Writer().raw(filled(size, 2))];
      const [first, second] = [a.finish(), b.finish()];
      first.fill(99);
      none(bytesDiffer(second, filled(size, 2)), `second of ${size}`);
      none(bytesDiffer(new Writer().raw(filled(size, 3)).finish(), filled(size, 3)), `third of ${size}`);
      none(bytesDiffer(a.finish(), filled(size, 1)), `first of ${size}, returned again`);
    }
  });
});

describe("memory of results", () => {
  test("above 2 KB results own a buffer of their size; small ones are parts of a slab", () => {
    for (const size of SIZES) {
      for (const nested of [false, true]) {
        const writer = nested ? new Writer().fork().raw(filled(size, 1)).ldelim() : new Writer().raw(filled(size, 1));
        const result = writer.finish();
        if (result.length > 2048 || result.length <= 64)
          expect(result.buffer.byteLength, String(size)).toBe(result.length);
        else expect(result.buffer.byteLength).toBeLessThanOrEqual(8192);
        expect(result.constructor).toBe(Uint8Array);
      }
    }
  });
});

describe("memory that was transferred", () => {
  test("results: the Writer still has the right bytes, or throws with a code until it is reset", () => {
    for (const size of SIZES) {
      const content = filled(size, 1);
      const uses: readonly [(writer: Writer) => unknown, Uint8Array][] = [
        [(one) => one.bool(true), concat(content, Uint8Array.of(1))],
        [(one) => one.finish(), content],
        [(one) => one.finish(true), content],
        [(one) => one.finishInto(new Uint8Array(size)), content],
        [(one) => one.fork().ldelim(), concat(content, Uint8Array.of(0))],
        [(one) => one.ldelim(), delimited(content)],
      ];
      for (const [use, want] of uses) {
        const writer = new Writer().raw(content);
        transferAway(writer.finish());
        try {
          use(writer);
          none(bytesDiffer(writer.finish(), want), `${size}, ${use}`);
        } catch (error) {
          expect((error as { code?: string }).code, `${size}, ${use}: ${error}`).toBe("ERR_CLOSED");
        }
        none(bytesDiffer(writer.reset().string("new").finish(), Uint8Array.of(3, 110, 101, 119)), "after reset");
      }
    }
  });

  test("views of finish(true): the same, and no other Writer has that memory", () => {
    for (const size of SIZES) {
      for (const forks of [0, 1, 3]) {
        const writer = new Writer();
        for (let i = 0; i < forks; i++) writer.fork();
        writer.raw(filled(size, 1));
        if (writer.pos === 0) continue;
        transferAway(writer.finish(true));
        expect(fault(() => writer.bool(true)).code, `${size}, ${forks}`).toBe("ERR_CLOSED");
        expect(fault(() => writer.finish()).code, `${size}, ${forks}`).toBe("ERR_CLOSED");
        for (let i = 0; i < forks; i++) writer.reset();
        none(bytesDiffer(writer.reset().bool(true).finish(), Uint8Array.of(1)), "after reset");
        none(bytesDiffer(new Writer().raw(filled(size, 4)).finish(), filled(size, 4)), "another Writer");
      }
    }
  });

  test("random calls with transfers in between: the right bytes or ERR_CLOSED", () => {
    const random: Random = randomSource(72);
    for (let i = 0; i < 300; i++) {
      const writer = new Writer();
      let want: Uint8Array<ArrayBuffer> = new Uint8Array(0);
      let isGone = false;
      for (let k = random(30); k > 0; k--) {
        const call = randomCall(random);
        try {
          const kind = random(8);
          if (kind < 5) {
            call.apply(writer);
            want = concat(want, call.bytes);
          } else if (kind === 5) {
            const result = writer.finish(random(2) === 0);
            none(bytesDiffer(result, want));
            if (random(3) === 0) {
              isGone = transferAway(result) || isGone;
            }
          } else if (kind === 6) {
            none(bytesDiffer(writer.finish(), want));
          } else if (random(3) === 0) {
            writer.reset();
            want = new Uint8Array(0);
            isGone = false;
          }
        } catch (error) {
          expect((error as { code?: string }).code, `${i}: ${error}`).toBe("ERR_CLOSED");
          expect(isGone).toBe(true);
          break;
        }
      }
    }
  });
});
