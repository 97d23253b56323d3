/** Cases: batches are atomic and ordered. */
import assert from "node:assert/strict";
import {
  bytes,
  type Case,
  entriesOf,
  equalValues,
  numbered,
  ONE,
  put,
  rejectsWith,
  THREE,
  TWO,
  withStore,
} from "./subject.js";

const KEYS = 50;
const ROUNDS = 200;

/** A batch that sets all keys of two columns to the value of a round. */
function roundOf(round: number) {
  const value = numbered(round);
  return [ONE, TWO].flatMap((column) => Array.from({ length: KEYS }, (_, i) => put(column, numbered(i), value)));
}

/** Batches are atomic. */
export const BATCH_CASES: readonly Case[] = [
  {
    name: "the operations of a batch take effect in their order",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const [a, b] = [bytes(1), bytes(2)];
        await store.batch(
          [put(ONE, a, bytes(1)), { column: ONE, key: a }, put(ONE, b, bytes(1)), put(ONE, b, bytes(2))],
          {
            sync: false,
          },
        );
        equalValues(await store.getMany(ONE, [a, b]), [undefined, "02"]);
        await store.batch([{ column: ONE, key: b }, put(ONE, b, bytes(3)), { column: ONE, key: bytes(9) }], {
          sync: true,
        });
        equalValues(await store.getMany(ONE, [b, bytes(9)]), ["03", undefined]);
        await store.batch([], { sync: true });
      }),
  },
  {
    name: "batches that are not awaited take effect in their order",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const writes = Array.from({ length: 100 }, (_, i) =>
          store.batch([put(ONE, bytes(1), bytes(i))], { sync: i % 50 === 0 }),
        );
        await Promise.all(writes);
        equalValues(await store.getMany(ONE, [bytes(1)]), ["63"]);
      }),
  },
  {
    name: "a batch that fails changes nothing",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const operations = [put(ONE, bytes(1), bytes(1)), put(TWO, bytes(1), bytes(1)), put(9, bytes(1), bytes(1))];
        await rejectsWith("ERR_INVALID_ARGUMENT", () => store.batch(operations, { sync: true }));
        equalValues(await store.getMany(ONE, [bytes(1)]), [undefined]);
        equalValues(await store.getMany(TWO, [bytes(1)]), [undefined]);
        await store.batch([put(THREE, bytes(1), bytes(1))], { sync: true });
        equalValues(await store.getMany(THREE, [bytes(1)]), ["01"]);
      }),
  },
  {
    name: "a reader of a range sees all of a batch that is being written, or nothing",
    needs: ["snapshots"],
    run: (subject) =>
      withStore(subject, async (store) => {
        await store.batch(roundOf(0), { sync: false });
        let isDone = false;
        const read = async (column: number, reverse: boolean): Promise<number> => {
          let reads = 0;
          let last = 0;
          while (!isDone) {
            const entries = await entriesOf(store, column, numbered(0), numbered(KEYS), { reverse });
            const rounds = new Set(entries.map((entry) => Number.parseInt(entry.slice(9), 16)));
            assert.equal(entries.length, KEYS);
            assert.equal(rounds.size, 1, `values of several batches: ${[...rounds]}`);
            const [round] = rounds;
            assert.ok(round! >= last, "an older batch than the one that was read before");
            last = round!;
            reads++;
          }
          return reads;
        };
        const readers = [read(ONE, false), read(TWO, true)];
        try {
          for (let round = 1; round <= ROUNDS; round++) await store.batch(roundOf(round), { sync: false });
        } finally {
          isDone = true;
        }
        for (const reads of await Promise.all(readers)) assert.ok(reads > 0);
      }),
  },
];
