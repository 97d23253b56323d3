/** How reads of keys are joined, and spread over threads. */
import { expect, test } from "vitest";
import { Gets, type GetTarget } from "../build/drivers/rocksdb/batched-gets.js";
import { packList, unpackList } from "../build/drivers/rocksdb/packing.js";

/** A target that returns each key as its value, when `answer` is called. */
class Target implements GetTarget {
  onFree = () => {};
  readonly messages: { column: number; keys: number[] }[] = [];
  #answer: (() => void) | null = null;
  /** A key for which all that is asked with it fails. */
  damaged = -1;

  get isBusy(): boolean {
    return this.#answer !== null;
  }

  get(column: number, packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const keys = unpackList(packed) as Uint8Array[];
    this.messages.push({ column, keys: keys.map(([key]) => key!) });
    return new Promise((resolve, reject) => {
      this.#answer = () => {
        if (keys.some(([key]) => key === this.damaged)) reject(new Error("damaged"));
        else resolve(packList(keys.map((key) => (key[0] === 255 ? undefined : key))));
      };
    });
  }

  answer(): void {
    const answer = this.#answer!;
    this.#answer = null;
    answer();
    this.onFree();
  }
}

const keys = (from: number, n: number) => Array.from({ length: n }, (_, i) => Uint8Array.of(from + i));
const numbers = (values: (Uint8Array | undefined)[]) => values.map((value) => value?.[0]);
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("calls of one moment are joined, and shared by the targets that are free", async () => {
  const targets = [new Target(), new Target()];
  const gets = new Gets(targets);
  const calls = [0, 10, 20, 30].map((from) => gets.get(1, keys(from, 2)));
  await turn();
  expect(targets[0]!.messages).toEqual([{ column: 1, keys: [0, 1, 10, 11] }]);
  expect(targets[1]!.messages).toEqual([{ column: 1, keys: [20, 21, 30, 31] }]);
  targets[1]!.answer();
  targets[0]!.answer();
  expect((await Promise.all(calls)).map(numbers)).toEqual([
    [0, 1],
    [10, 11],
    [20, 21],
    [30, 31],
  ]);
});

test("calls wait while all targets are busy, also with other work, and columns are not mixed", async () => {
  const target = new Target();
  const gets = new Gets([target]);
  const first = gets.get(0, keys(0, 1));
  await turn();
  const rest = [gets.get(0, keys(1, 1)), gets.get(1, keys(2, 1)), gets.get(0, keys(255, 1))];
  await turn();
  expect(target.messages).toHaveLength(1);
  for (let i = 0; i < 4; i++) {
    target.answer();
    await turn();
    if (!target.isBusy) break;
  }
  expect(target.messages.map(({ column, keys: list }) => [column, ...list])).toEqual([
    [0, 0],
    [0, 1],
    [1, 2],
    [0, 255],
  ]);
  expect((await Promise.all([first, ...rest])).map(numbers)).toEqual([[0], [1], [2], [undefined]]);
});

test("a call of many keys is read in parts, whose values come in the order of the keys", async () => {
  const targets = [new Target(), new Target()];
  const gets = new Gets(targets);
  const call = gets.get(0, keys(0, 200));
  for (let i = 0; i < 8; i++) {
    await turn();
    // The second one answers first.
    for (const target of targets.toReversed()) if (target.isBusy) target.answer();
  }
  expect(numbers(await call)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  for (const { messages } of targets) expect(messages.length).toBeGreaterThan(0);
  expect(await gets.get(0, []).then((values) => values.length)).toBe(0);
});

test("a failure rejects only the call with the key", async () => {
  const target = new Target();
  target.damaged = 7;
  const gets = new Gets([target]);
  const calls = [6, 7, 8].map((from) => gets.get(0, keys(from, 1)));
  const results = Promise.allSettled(calls);
  for (let i = 0; i < 4; i++) {
    await turn();
    target.answer();
  }
  expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
