/** Cases: ranges of keys, in both directions, while others write. */
import assert from "node:assert/strict";
import type { Operation, Store } from "../drivers/driver.js";
import { bytes, type Case, entriesOf, hex, numbered, ONE, put, TWO, withStore } from "./subject.js";

const LAST = 5000;

/** Entries with values of 100 bytes: several pieces of a range. */
async function fill(store: Store): Promise<Operation[]> {
  const operations = Array.from({ length: LAST }, (_, i) => put(ONE, numbered(i), new Uint8Array(100).fill(i)));
  await store.batch(operations, { sync: false });
  return operations;
}

async function deleteAll(store: Store, operations: readonly Operation[]): Promise<void> {
  const deletes = operations.map(({ column, key }) => ({ column, key }));
  await store.batch(deletes, { sync: false });
}

/** Ranges are ordered snapshots. */
export const RANGE_CASES: readonly Case[] = [
  {
    name: "keys are ordered as unsigned bytes, in both directions",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const keys = [
          bytes(0),
          bytes(0, 0),
          bytes(1),
          bytes(1, 255),
          bytes(127),
          bytes(128),
          bytes(255),
          bytes(255, 0),
        ];
        const shuffled = [5, 2, 7, 0, 3, 6, 1, 4].map((i) => put(ONE, keys[i]!, bytes(9)));
        await store.batch(shuffled, { sync: false });
        const expected = keys.map((key) => `${hex(key)} 09`);
        const end = bytes(255, 255);
        assert.deepEqual(await entriesOf(store, ONE, bytes(0), end), expected);
        assert.deepEqual(await entriesOf(store, ONE, bytes(0), end, { reverse: true }), expected.toReversed());
        assert.deepEqual(await entriesOf(store, TWO, bytes(0), end), []);
      }),
  },
  {
    name: "a range begins at its first key and ends before its last, in both directions",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        await store.batch(
          [10, 20, 30, 40].map((n) => put(ONE, bytes(n), bytes(n))),
          { sync: false },
        );
        const read = async (from: Uint8Array, to: Uint8Array): Promise<string> => {
          const up = await entriesOf(store, ONE, from, to);
          const down = await entriesOf(store, ONE, from, to, { reverse: true });
          assert.deepEqual(down, up.toReversed());
          return up.map((entry) => Number.parseInt(entry.slice(0, 2), 16)).join(" ");
        };
        assert.equal(await read(bytes(20), bytes(40)), "20 30");
        assert.equal(await read(bytes(19), bytes(41)), "20 30 40");
        assert.equal(await read(bytes(20, 0), bytes(30, 0)), "30");
        assert.equal(await read(bytes(0), bytes(255)), "10 20 30 40");
        assert.equal(await read(bytes(41), bytes(255)), "");
        assert.equal(await read(bytes(20), bytes(20)), "");
        assert.equal(await read(bytes(30), bytes(20)), "");
      }),
  },
  {
    name: "a range comes in pieces; keysOnly leaves values empty",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        await fill(store);
        for (const keysOnly of [false, true]) {
          for (const reverse of [false, true]) {
            let n = 0;
            let pieces = 0;
            for await (const piece of store.range(ONE, numbered(0), numbered(LAST), { keysOnly, reverse })) {
              assert.ok(piece.length > 0);
              pieces++;
              for (const [key, value] of piece) {
                const i = reverse ? LAST - 1 - n : n;
                assert.equal(hex(key), hex(numbered(i)));
                assert.equal(hex(value), keysOnly ? "" : hex(new Uint8Array(100).fill(i)));
                n++;
              }
            }
            assert.equal(n, LAST);
            assert.ok(keysOnly || pieces > 1, "500 KB in one piece");
          }
        }
      }),
  },
  {
    name: "a range is a snapshot of the time of its first piece",
    needs: ["snapshots"],
    run: (subject) =>
      withStore(subject, async (store) => {
        const operations = await fill(store);
        let seen = 0;
        for await (const piece of store.range(ONE, numbered(0), numbered(LAST))) {
          if (seen === 0) await deleteAll(store, operations);
          seen += piece.length;
        }
        assert.equal(seen, LAST);
        assert.deepEqual(await entriesOf(store, ONE, numbered(0), numbered(LAST)), []);
      }),
  },
  {
    name: "a range may be left before its end, and several may be read at a time",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        await fill(store);
        for (let i = 0; i < 20; i++) {
          for await (const piece of store.range(ONE, numbered(i), numbered(LAST))) {
            assert.equal(hex(piece[0]![0]), hex(numbered(i)));
            break;
          }
        }
        const all = await Promise.all(
          [0, 1, 2, 3].map((i) => entriesOf(store, ONE, numbered(i * 1000), numbered(LAST), { reverse: i % 2 === 1 })),
        );
        assert.deepEqual(
          all.map(({ length }) => length),
          [5000, 4000, 3000, 2000],
        );
      }),
  },
  {
    name: "deleteRange deletes from its first key up to its last one, which stays, in one column",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const operations = await fill(store);
        await store.batch(
          operations.map(({ key }) => put(TWO, key, bytes(1))),
          { sync: false },
        );
        await store.deleteRange(ONE, numbered(10), numbered(4990));
        await store.deleteRange(ONE, numbered(5), numbered(5));
        await store.deleteRange(ONE, numbered(7), numbered(6));
        const keys = (await entriesOf(store, ONE, numbered(0), numbered(LAST))).map((entry) =>
          Number.parseInt(entry.slice(0, 8), 16),
        );
        const numbers = Array.from({ length: 10 }, (_, i) => i);
        assert.deepEqual(keys, [...numbers, ...numbers.map((i) => 4990 + i)]);
        assert.equal((await entriesOf(store, TWO, numbered(0), numbered(LAST))).length, LAST);
        await store.batch([put(ONE, numbered(20), bytes(7))], { sync: false });
        assert.deepEqual(await entriesOf(store, ONE, numbered(10), numbered(4990)), ["00000014 07"]);
      }),
  },
  {
    name: "compact and size change nothing",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const operations = await fill(store);
        await deleteAll(store, operations.slice(0, 2500));
        for (const column of [ONE, TWO]) {
          await store.compact?.(column);
          assert.ok((await store.size(column)) >= 0);
        }
        assert.equal((await entriesOf(store, ONE, numbered(0), numbered(LAST))).length, 2500);
        assert.deepEqual(await entriesOf(store, TWO, numbered(0), numbered(LAST)), []);
      }),
  },
];
