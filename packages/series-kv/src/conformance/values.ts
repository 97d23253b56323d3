/** Cases: single, many, missing, empty and large values. */
import assert from "node:assert/strict";
import {
  bytes,
  type Case,
  equalValues,
  hex,
  numbered,
  ONE,
  open,
  put,
  rejectsWith,
  THREE,
  TWO,
  withStore,
} from "./subject.js";

/** Values are read as they were written. */
export const VALUE_CASES: readonly Case[] = [
  {
    name: "values come in the order of their keys, with those that are missing, and twice for a key that is asked twice",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        await store.batch([put(ONE, bytes(1), bytes(10)), put(ONE, bytes(3), bytes(30))], { sync: false });
        const keys = [bytes(3), bytes(2), bytes(1), bytes(3), bytes(1, 0)];
        equalValues(await store.getMany(ONE, keys), ["1e", undefined, "0a", "1e", undefined]);
        equalValues(await store.getMany(ONE, []), []);
      }),
  },
  {
    name: "columns have the same keys with other values",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        await store.batch([put(ONE, bytes(1), bytes(10)), put(THREE, bytes(1), bytes(30))], { sync: false });
        equalValues(await store.getMany(ONE, [bytes(1)]), ["0a"]);
        equalValues(await store.getMany(TWO, [bytes(1)]), [undefined]);
        equalValues(await store.getMany(THREE, [bytes(1)]), ["1e"]);
        await store.batch([{ column: ONE, key: bytes(1) }], { sync: false });
        equalValues(await store.getMany(ONE, [bytes(1)]), [undefined]);
        equalValues(await store.getMany(THREE, [bytes(1)]), ["1e"]);
      }),
  },
  {
    name: "an empty value is not a missing one",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        await store.batch([put(ONE, bytes(1), bytes())], { sync: false });
        equalValues(await store.getMany(ONE, [bytes(1), bytes(2)]), ["", undefined]);
      }),
  },
  {
    name: "values of 1 MB, and keys of 1 KB",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const keys = [1, 2, 3].map((n) => new Uint8Array(1024).fill(n));
        const values = [1, 2, 3].map((n) => new Uint8Array(2 ** 20).map((_, i) => (i * i * n) >> 5));
        const operations = keys.map((key, i) => put(ONE, key, values[i]!));
        await store.batch(operations, { sync: true });
        const read = await store.getMany(ONE, keys);
        read.forEach((value, i) => {
          assert.ok(Buffer.compare(value!, values[i]!) === 0);
        });
      }),
  },
  {
    name: "10,000 keys at once",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const keys = Array.from({ length: 10_000 }, (_, i) => numbered(i * 7));
        await store.batch(
          keys.map((key) => put(TWO, key, key)),
          { sync: false },
        );
        const asked = Array.from({ length: 10_000 }, (_, i) => numbered((i * 7919) % 70_000));
        const read = await store.getMany(TWO, asked);
        read.forEach((value, i) => {
          const key = asked[i]!;
          const isThere = ((i * 7919) % 70_000) % 7 === 0;
          assert.equal(value && Buffer.compare(value, key), isThere ? 0 : undefined);
        });
      }),
  },
  {
    name: "memory is the caller's again when a call has resolved",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const key = bytes(1);
        const value = bytes(5, 6);
        const operations = [put(ONE, key, value)];
        await store.batch(operations, { sync: false });
        key[0] = 9;
        value.fill(9);
        operations.length = 0;
        const [first] = await store.getMany(ONE, [bytes(1)]);
        equalValues([first], ["0506"]);
        first!.fill(7);
        const asked = [bytes(1)];
        const [second] = await store.getMany(ONE, asked);
        asked[0]!.fill(9);
        equalValues([second], ["0506"]);
        equalValues(await store.getMany(ONE, [bytes(9)]), [undefined]);
      }),
  },
  {
    name: "a value in memory is never older than the last write, whatever is under way",
    needs: [],
    run: (subject) =>
      withStore(subject, async (store) => {
        const keys = [0, 1, 2, 3, 4].map(numbered);
        const model: (string | undefined)[] = keys.map(() => undefined);
        const check = () => {
          for (const [i, key] of keys.entries()) {
            const cached = store.cached?.(ONE, key);
            if (cached !== undefined) equalValues([cached], [model[i]]);
          }
        };
        for (let i = 0; i < 60; i++) {
          const value = numbered(i);
          const reading = store.getMany(ONE, keys, { keep: true });
          // Without the await, the read may start before the write and end after it.
          if (i % 2 === 0) for (let n = 0; n < 10; n++) await undefined;
          let writing: Promise<void>;
          if (i % 7 === 6) {
            writing = store.deleteRange(ONE, numbered(0), numbered(3));
            model.fill(undefined, 0, 3);
          } else {
            writing = store.batch([put(ONE, keys[i % 5]!, value)], { sync: false });
            model[i % 5] = hex(value);
          }
          check();
          await reading;
          check();
          const between = store.getMany(ONE, keys, { keep: true });
          await writing;
          check();
          await between;
          check();
          equalValues(await store.getMany(ONE, keys, { keep: true }), model);
          check();
        }
      }),
  },
  {
    name: "a column that does not exist is ERR_INVALID_ARGUMENT",
    needs: [],
    run: async (subject) => {
      const store = await open(subject);
      await rejectsWith("ERR_INVALID_ARGUMENT", () => store.getMany(3, [bytes(1)]));
      await rejectsWith("ERR_INVALID_ARGUMENT", () => store.batch([put(-1, bytes(1), bytes(1))], { sync: false }));
      await rejectsWith("ERR_INVALID_ARGUMENT", () => store.deleteRange(0.5, bytes(1), bytes(2)));
      await rejectsWith("ERR_INVALID_ARGUMENT", async () => {
        for await (const _piece of store.range(3, bytes(1), bytes(2))) assert.fail("a piece of no column");
      });
      await rejectsWith("ERR_INVALID_ARGUMENT", () => store.size(3));
      await store.close();
    },
  },
];
