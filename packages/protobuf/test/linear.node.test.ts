/**
 * The work grows linearly with the message. It is counted as bytes that `set` and `copyWithin` move, and never timed. The suite has
 * its own process, since a Writer's growth depends on the memory that other unfinished Writers hold.
 */
import { Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";

/** Counts the bytes that typed arrays move while `act` runs. */
function moved(act: () => void): number {
  const prototype = Uint8Array.prototype;
  const { copyWithin, set } = prototype;
  let bytes = 0;
  const counting = {
    copyWithin(this: Uint8Array, to: number, start: number, end = this.length): Uint8Array {
      bytes += end - start;
      return copyWithin.call(this, to, start, end);
    },
    set(this: Uint8Array, source: ArrayLike<number>, offset?: number): void {
      bytes += source.length;
      set.call(this, source, offset);
    },
  };
  Object.assign(prototype, counting);
  try {
    act();
  } finally {
    // `set` and `copyWithin` are inherited.
    for (const name of Object.keys(counting)) Reflect.deleteProperty(prototype, name);
  }
  return bytes;
}

/** Nested messages with some bytes before and after the inner one. */
function chain(levels: number, before: number, after: number): Writer {
  const writer = new Writer();
  const [front, back] = [new Uint8Array(before), new Uint8Array(after)];
  for (let i = 0; i < levels; i++) writer.raw(front).uint32(10).fork();
  for (let i = 0; i < levels; i++) writer.raw(back).ldelim();
  return writer;
}

/** Every message contains two others. */
function tree(levels: number, writer = new Writer()): Writer {
  writer.uint32(8).int32(levels);
  for (let i = 0; i < 2 && levels > 0; i++) tree(levels - 1, writer.uint32(18).fork()).ldelim();
  return writer;
}

/** Makes later Writers begin as in a new process: large memory is neither free nor expected. */
function beginAnew(): void {
  new Writer().raw(new Uint8Array(9_000_000)).finish();
  // A Writer that outgrows its arena expects the least of the last four sizes.
  for (let i = 0; i < 4; i++) new Writer().raw(new Uint8Array(40_000)).finish();
}

interface Shape {
  readonly name: string;
  readonly size: number;
  make(size: number): Writer;
}

const SHAPES: readonly Shape[] = [
  { name: "a chain", size: 1600, make: (size) => chain(size, 0, 0) },
  { name: "a chain with fields before", size: 1600, make: (size) => chain(size, 5, 0) },
  { name: "a chain with fields after", size: 1600, make: (size) => chain(size, 0, 9) },
  { name: "a chain of large messages", size: 400, make: (size) => chain(size, 300, 900) },
  { name: "a tree", size: 10, make: (size) => tree(size > 100 ? 14 : 10) },
  {
    name: "short messages in a row",
    size: 1000,
    make: (size) => {
      const writer = new Writer();
      for (let i = 0; i < size; i++)
        writer
          .fork()
          .string("x".repeat(i % 300))
          .ldelim();
      return writer;
    },
  },
  {
    name: "messages in a row, of many levels each",
    size: 20,
    make: (size) => {
      const writer = new Writer();
      for (let i = 0; i < size; i++) {
        for (let k = 0; k < 50; k++) writer.uint32(10).fork().bool(true);
        for (let k = 0; k < 50; k++) writer.ldelim();
      }
      return writer;
    },
  },
  {
    name: "large messages in a row in one",
    size: 100,
    make: (size) => {
      const writer = new Writer().fork();
      for (let i = 0; i < size; i++) writer.fork().raw(new Uint8Array(2000)).ldelim();
      return writer.ldelim();
    },
  },
];

test("a message that is as large as those before it is not copied while it grows", () => {
  const size = 400_000;
  const part = new Uint8Array(1000);
  const make = () => {
    const writer = new Writer();
    while (writer.pos < size) writer.raw(part);
    return writer.finish();
  };
  beginAnew();
  const first = moved(make);
  for (let i = 0; i < 3; i++) make();
  const later = moved(make);
  // Every part is written, and copied to the result: the rest is growth.
  expect(first).toBeGreaterThan(3 * size);
  expect(later).toBeLessThan(2 * size + 40_000);
});

describe("nested messages", () => {
  for (const { name, size, make } of SHAPES) {
    test(`${name}: 16 times the size moves no more than 16 times the bytes`, () => {
      let [small, large, length] = [0, 0, 0];
      beginAnew();
      small = moved(() => make(size).finish());
      beginAnew();
      large = moved(() => (length = make(size * 16).finish().length));
      expect(large, name).toBeLessThan(16 * 1.3 * small + 20_000);
      // A short message moves when its length is inserted. All move once for longer lengths, and once to the result.
      expect(large / length, name).toBeLessThan(40);
    });
  }

  test("1,600 nested messages move a few times their bytes", () => {
    let length = 0;
    const bytes = moved(() => (length = chain(1600, 10, 10).finish().length));
    expect(length).toBeGreaterThan(1600 * 22);
    expect(bytes).toBeGreaterThan(length); // into the result at least
    expect(bytes / length).toBeLessThan(8);
  });

  test("10,000 open forks move bytes only when memory grows; closing them moves each byte a few times", () => {
    const writer = new Writer();
    const opened = moved(() => {
      for (let i = 0; i < 10_000; i++) writer.fork();
    });
    expect(opened).toBeLessThan(4 * 10_000);
    let length = 0;
    const bytes = moved(() => {
      for (let i = 0; i < 10_000; i++) writer.ldelim();
      length = writer.finish().length;
    });
    expect(length).toBeGreaterThan(19_000);
    // The innermost 450 levels are short: each moves its content, up to 1,024 bytes.
    expect(bytes).toBeLessThan(512 * 1024 + 4 * length);
  });

  test("ldelim without a fork moves each byte once", () => {
    for (const size of [200, 20_000, 1_000_000]) {
      const writer = new Writer().raw(new Uint8Array(size));
      const bytes = moved(() => writer.ldelim());
      expect(writer.pos).toBeGreaterThan(size);
      expect(bytes, String(size)).toBeLessThan(size + 100);
    }
  });

  test("repeated finish in the middle moves the new bytes and the result", () => {
    const writer = new Writer().fork();
    let results = 0;
    const bytes = moved(() => {
      for (let i = 0; i < 200; i++) {
        writer.fork().raw(new Uint8Array(2000)).ldelim();
        results += writer.finish().length;
      }
    });
    // Each result contains all bytes so far, which are copied to it.
    expect(bytes).toBeLessThan(3 * results + 2_000_000);
  });
});

describe("growth", () => {
  test("many small calls: growing memory is copied a few times at most", () => {
    for (const size of [100_000, 1_600_000]) {
      let length = 0;
      const bytes = moved(() => {
        const writer = new Writer();
        for (let i = 0; i < size; i++) writer.uint32(300);
        length = writer.finish().length;
      });
      expect(length).toBe(2 * size);
      expect(bytes).toBeLessThan(3 * length);
    }
  });
});
