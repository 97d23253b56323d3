/**
 * The work on a `traceparent` and a `tracestate` grows in proportion to their length. It is counted, never timed: the executed blocks of
 * the package's code (harness/work.ts), and the characters that native methods of texts and patterns may look at. Lengths 16 times
 * apart are compared: the exponent of the growth is below 1.2.
 */
import { startCounting } from "@moonpack/harness/work.ts";
import { expect, test } from "vitest";

const blocksOf = await startCounting();
// Imported after the start, because only code compiled after it is counted.
const { parseTraceparent, parseTracestate } = await import("@moonpack/trace");

const SIZE = 2000;

const TEXTS: [string, (length: number) => string][] = [
  ["different members", (n) => Array.from({ length: n / 8 }, (_, i) => `k${String(i).padStart(5, "0")}=1`).join()],
  ["32 long members", (n) => Array.from({ length: 32 }, (_, i) => `k${i}=${"v".repeat(n / 32 - 5)}`).join()],
  ["commas", (n) => ",".repeat(n)],
  ["commas before a member", (n) => `${",".repeat(n - 2)}a=`],
  ["spaces", (n) => " ".repeat(n)],
  ["spaces before a member", (n) => `${" ".repeat(n - 2)}=1`],
  ["spaces inside a member", (n) => `a${" ".repeat(n - 4)}b=1`],
  ["spaces in a value", (n) => `a=${" ".repeat(n - 2)}`],
  ["spaces between commas", (n) => " ,".repeat(n / 2)],
  ["a long key", (n) => "a".repeat(n)],
  ["a long value", (n) => `a=${"b".repeat(n - 2)}`],
  ["equals signs", (n) => "=".repeat(n)],
  ["zeros", (n) => `00-${"0".repeat(n - 3)}`],
];

test.each(TEXTS)("%s", async (_, make) => {
  for (const parse of [parseTracestate, parseTraceparent]) {
    const count = async (text: string) => [await blocksOf(() => parse(text)), charactersOf(() => parse(text))];
    const small = await count(make(SIZE));
    const large = await count(make(SIZE * 16));
    for (const counts of [small, large]) expect(counts[0]).toBeGreaterThan(0);
    for (const i of [0, 1])
      expect(Math.log((large[i]! + 200) / (small[i]! + 200)) / Math.log(16), ["blocks", "characters"][i]).toBeLessThan(
        1.2,
      );
  }
});

test("quadratic work is counted as such", () => {
  const text = ",".repeat(SIZE);
  expect(charactersOf(() => text.replace(/[ \t]+$/, ""))).toBeGreaterThanOrEqual(SIZE ** 2);
  const cut = (): void => {
    for (let rest = text; rest !== ""; rest = rest.slice(1));
  };
  expect(charactersOf(cut)).toBeGreaterThanOrEqual(SIZE ** 2 / 4);
});

// biome-ignore lint/suspicious/noExplicitAny: methods of any signature
type Method = (this: any, ...args: any[]) => any;

/** Counts the characters that methods of texts and patterns may look at during a call. */
function charactersOf(act: () => unknown): number {
  let characters = 0;
  let isCounting = true;
  const restores: (() => void)[] = [];
  for (const prototype of [String.prototype, RegExp.prototype])
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const former = descriptor.value as unknown;
      if (typeof former !== "function" || name === "constructor" || name === "toString" || name === "valueOf") continue;
      const value: Method = function (...args) {
        const wasCounting = isCounting;
        isCounting = false;
        try {
          const result: unknown = Reflect.apply(former, this, args);
          if (wasCounting) characters += costOf(name, this as string | RegExp, args, result);
          return result;
        } finally {
          isCounting = wasCounting;
        }
      };
      Object.defineProperty(prototype, name, { ...descriptor, value });
      restores.push(() => Object.defineProperty(prototype, name, descriptor));
    }
  try {
    act();
  } finally {
    for (const restore of restores) restore();
  }
  return characters;
}

function costOf(name: string, self: string | RegExp, args: unknown[], result: unknown): number {
  if (typeof self !== "string") return patternCost(self, String(args[0]));
  if (args[0] instanceof RegExp) return patternCost(args[0], self);
  if (name === "charCodeAt" || name === "codePointAt" || name === "charAt" || name === "at") return 1;
  if (name === "slice" || name === "substring" || name === "substr") return (result as string).length + 1;
  if (name !== "indexOf") return self.length;
  const from = Number(args[1] ?? 0);
  return (result === -1 ? self.length : (result as number) + 1) - from;
}

/**
 * The longest search of a pattern in a text: each character from each other one, unless the pattern only begins at the start, has no
 * alternatives there, and repeats nothing without a limit.
 */
function patternCost({ source }: RegExp, text: string): number {
  const plain = source
    .replace(/\\./g, "")
    .replace(/\[[^\]]*\]/g, "")
    .replace(/\([^()]*\)/g, "");
  const isBounded = source.startsWith("^") && !/[|*+]|\{\d+,\}/.test(plain) && !/\)[*+{]/.test(source);
  return isBounded ? Math.min(text.length, 1024) : text.length ** 2;
}
