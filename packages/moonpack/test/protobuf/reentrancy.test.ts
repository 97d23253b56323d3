/** Values that run code while they are written: the code may use the same Writer, finish it, and begin others. */
import { type Int64Input, Writer } from "moonpack/protobuf";
import { expect, test } from "vitest";
import { toHex } from "../harness/hex.ts";
import { INTEGERS64, NUMBERS } from "./model.ts";

/** A number for those who ask it, which then does what it likes. */
function acting(act: () => void): number {
  const value = new Number(7);
  value.valueOf = () => {
    act();
    return 7;
  };
  return value as unknown as number;
}

function text(act: () => void): string {
  const value = new String("text");
  value.toString = () => {
    act();
    return "text";
  };
  return value as unknown as string;
}

function words(act: () => void): Int64Input {
  return {
    get low() {
      act();
      return 7;
    },
    high: 0,
  };
}

const CALLS: readonly [string, (writer: Writer, act: () => void) => unknown][] = [
  ...NUMBERS.map((name): [string, (writer: Writer, act: () => void) => unknown] => [
    name,
    (writer, act) => writer[name](acting(act)),
  ]),
  ...INTEGERS64.map((name): [string, (writer: Writer, act: () => void) => unknown] => [
    name,
    (writer, act) => writer[name](words(act)),
  ]),
  ["string", (writer, act) => writer.string(text(act))],
  ["bytes", (writer, act) => writer.bytes([1, acting(act), 3])],
  ["raw", (writer, act) => writer.raw([1, acting(act), 3])],
];

test("what the code writes comes before the value, and nothing is lost", () => {
  for (const [name, call] of CALLS) {
    const plain = new Writer();
    call(plain, () => undefined);
    const writer = new Writer().bool(true);
    call(writer, () => writer.string("in between"));
    const between = toHex(new Writer().string("in between").finish());
    expect(toHex(writer.finish()), name).toBe(`01${between}${toHex(plain.finish())}`);
  }
});

test("another Writer that begins meanwhile has its own bytes", () => {
  for (const [name, call] of CALLS) {
    const plain = new Writer();
    call(plain, () => undefined);
    const value = toHex(plain.finish());
    const writer = new Writer().bool(true);
    const others: Writer[] = [];
    let middle: Uint8Array = new Uint8Array(0);
    call(writer, () => {
      middle = writer.finish();
      for (let i = 0; i < 3; i++) others.push(new Writer().string("another, with a text that is long enough"));
    });
    expect(toHex(writer.finish()), name).toBe(`01${value}`);
    expect(toHex(middle), name).toBe("01");
    const want = toHex(new Writer().string("another, with a text that is long enough").finish());
    for (const other of others) expect(toHex(other.finish()), name).toBe(want);
  }
});

test("code that throws leaves the message as it was", () => {
  for (const [name, call] of CALLS) {
    const writer = new Writer().bool(true).fork();
    const thrown = new Error("of the caller's");
    let seen: unknown;
    try {
      call(writer, () => {
        throw thrown;
      });
    } catch (error) {
      seen = error;
    }
    expect(seen, name).toBe(thrown);
    expect(toHex(writer.bool(true).ldelim().finish()), name).toBe("010101");
  }
});

test("elements of lists that run code never write into another Writer's message", () => {
  for (const name of [...NUMBERS, ...INTEGERS64] as const) {
    const is64 = (INTEGERS64 as readonly string[]).includes(name);
    for (const size of [5, 3000, 200_000]) {
      const writer = new Writer().string("before");
      const others: [Writer, string][] = [];
      const act = () => {
        writer.int32s([1, 2]);
        writer.finish();
        if (others.length === 1) writer.finish(true);
        const other = new Writer().string("x".repeat(size));
        others.push([other, toHex(other.finish())]);
        const open = new Writer().string("open").string("y".repeat(100));
        others.push([open, toHex(new Writer().string("open").string("y".repeat(100)).finish())]);
      };
      const element = is64 ? words(act) : acting(act);
      const list = Array.from({ length: 1000 }, (_, i) => (i === 3 || i === 500 ? element : 65));
      (writer as unknown as Record<string, (values: unknown) => void>)[`${name}s`]!(list);
      expect(others.length, name).toBe(4);
      for (const [other, bytes] of others) expect(toHex(other.finish()), `${name}s, ${size}`).toBe(bytes);
    }
  }
});
