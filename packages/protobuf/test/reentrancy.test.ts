/** Values that run code while they are written. The code may use the same Writer, finish it, and begin others. */

import { fault } from "@moonpack/harness/caught.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { type Int64Input, Writer } from "@moonpack/protobuf";
import { expect, test } from "vitest";
import { INTEGERS64, NUMBERS } from "./model.ts";

/** An object that runs `act` when it is converted to a number. */
function numberRunning(act: () => void): number {
  const value = new Number(7);
  value.valueOf = () => {
    act();
    return 7;
  };
  return value as unknown as number;
}

function textRunning(act: () => void): string {
  const value = new String("text");
  value.toString = () => {
    act();
    return "text";
  };
  return value as unknown as string;
}

function wordsRunning(act: () => void): Int64Input {
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
    (writer, act) => writer[name](numberRunning(act)),
  ]),
  ...INTEGERS64.map((name): [string, (writer: Writer, act: () => void) => unknown] => [
    name,
    (writer, act) => writer[name](wordsRunning(act)),
  ]),
  ["string", (writer, act) => writer.string(textRunning(act))],
  ["bytes", (writer, act) => writer.bytes([1, numberRunning(act), 3])],
  ["raw", (writer, act) => writer.raw([1, numberRunning(act), 3])],
];

test("bytes that the code writes come before the value, and no byte is lost", () => {
  for (const [name, call] of CALLS) {
    const plain = new Writer();
    call(plain, () => undefined);
    const writer = new Writer().bool(true);
    call(writer, () => writer.string("in between"));
    const between = toHex(new Writer().string("in between").finish());
    expect(toHex(writer.finish()), name).toBe(`01${between}${toHex(plain.finish())}`);
  }
});

test("another Writer that begins in the code has its own bytes", () => {
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

const LISTS = [...NUMBERS, ...INTEGERS64].map((name) => `${name}s` as const);

/** A list with two elements that run `act`. */
function listOf(name: (typeof LISTS)[number], act: () => void): number[] {
  const is64 = (INTEGERS64 as readonly string[]).includes(name.slice(0, -1));
  const element = (is64 ? wordsRunning(act) : numberRunning(act)) as number;
  return Array.from({ length: 1000 }, (_, i) => (i === 3 || i === 500 ? element : 65));
}

test("elements of lists that run code never write into another Writer's message", () => {
  for (const name of LISTS) {
    for (const size of isWhole ? [5, 3000, 200_000] : [5, 3000]) {
      const writer = new Writer().string("before");
      const others: [Writer, string][] = [];
      const act = () => {
        writer.finish();
        const other = new Writer().string("x".repeat(size));
        others.push([other, toHex(other.finish())]);
        const open = new Writer().string("open").string("y".repeat(100));
        others.push([open, toHex(new Writer().string("open").string("y".repeat(100)).finish())]);
      };
      writer[name](listOf(name, act));
      expect(others.length, name).toBe(4);
      for (const [other, bytes] of others) expect(toHex(other.finish()), `${name}, ${size}`).toBe(bytes);
    }
  }
});

test("elements that use the Writer of their list throw, and change nothing", () => {
  const calls: ((writer: Writer) => unknown)[] = [
    (writer) => writer.uint32(5),
    (writer) => writer.string("a"),
    (writer) => writer.raw([1]),
    (writer) => writer.doubles([1]),
    (writer) => writer.fork(),
    (writer) => writer.ldelim(),
    (writer) => writer.reset(),
    (writer) => writer.finish(true),
  ];
  for (const name of LISTS) {
    const plain = new Writer().string("before");
    const want = toHex(
      plain[name](listOf(name, () => undefined))
        .bool(true)
        .finish(),
    );
    for (const call of calls) {
      for (const isForked of [false, true]) {
        const writer = new Writer();
        const codes: unknown[] = [];
        const act = () => codes.push(fault(() => call(writer)).code);
        if (isForked) writer.fork();
        writer.string("before")[name](listOf(name, act));
        if (isForked) writer.ldelim().reset().string("before")[name](listOf(name, act));
        expect(toHex(writer.bool(true).finish()), `${name}, ${call}`).toBe(want);
        expect(new Set(codes), `${name}, ${call}`).toEqual(new Set(["ERR_INVALID_ARGUMENT"]));
      }
    }
    // An error that is not caught leaves the Writer as it was.
    const writer = new Writer().bool(true);
    const refused = fault(() => writer[name](listOf(name, () => void writer.uint32(5))));
    expect(refused.code).toBe("ERR_INVALID_ARGUMENT");
    expect(toHex(writer.bool(true).finish()), name).toBe("0101");
  }
});

test("getters of a list run code too", () => {
  for (const name of ["bools", "doubles", "int32s"] as const) {
    const writer = new Writer().bool(true);
    const values = [1, 1, 1] as number[] & boolean[];
    Object.defineProperty(values, 1, { get: () => writer.uint32(77) });
    expect(fault(() => writer[name](values)).code).toBe("ERR_INVALID_ARGUMENT");
    expect(toHex(writer.finish())).toBe("01");
  }
});

test("words that are objects: integers that their code writes elsewhere do not change the value", () => {
  for (const name of INTEGERS64) {
    const high = numberRunning(() => new Writer()[name](77));
    const value = { low: "1", high } as unknown as Int64Input;
    const plain = new Writer()[name]({ low: 1, high: 7 }).finish();
    expect(toHex(new Writer()[name](value).finish()), name).toBe(toHex(plain));
  }
});
