/** Cases: closing, and opening for reading only. */
import assert from "node:assert/strict";
import { bytes, type Case, entriesOf, equalValues, numbered, ONE, open, put, rejectsWith } from "./subject.js";

/** After closing nothing is read or written. */
export const CLOSE_CASES: readonly Case[] = [
  {
    name: "after closing every call is ERR_CLOSED, and closing again does nothing",
    needs: [],
    run: async (subject) => {
      const store = await open(subject);
      await store.close();
      await rejectsWith("ERR_CLOSED", () => store.getMany(ONE, [bytes(1)]));
      await rejectsWith("ERR_CLOSED", () => store.batch([put(ONE, bytes(1), bytes(1))], { sync: false }));
      await rejectsWith("ERR_CLOSED", () => store.deleteRange(ONE, bytes(1), bytes(2)));
      await rejectsWith("ERR_CLOSED", () => entriesOf(store, ONE, bytes(1), bytes(2)));
      await rejectsWith("ERR_CLOSED", () => store.size(ONE));
      await store.close();
    },
  },
  {
    name: "closing waits for calls that have not resolved",
    needs: [],
    run: async (subject) => {
      const store = await open(subject);
      const calls = [
        store.batch([put(ONE, bytes(1), bytes(2))], { sync: true }),
        store.getMany(ONE, [bytes(1)]),
        store.deleteRange(ONE, bytes(5), bytes(6)),
        entriesOf(store, ONE, bytes(1), bytes(2)),
      ];
      const closed = store.close();
      await Promise.all(calls);
      await closed;
    },
  },
  {
    name: "closing does not wait for a range that is not read any further; it is then ERR_CLOSED",
    needs: [],
    run: async (subject) => {
      const store = await open(subject);
      const operations = Array.from({ length: 5000 }, (_, i) => put(ONE, numbered(i), new Uint8Array(100)));
      await store.batch(operations, { sync: false });
      const range = store.range(ONE, numbered(0), numbered(5000))[Symbol.asyncIterator]();
      assert.equal((await range.next()).done, false);
      await store.close();
      await rejectsWith("ERR_CLOSED", async () => {
        // A prefetched chunk may come first.
        while ((await range.next()).done !== true);
      });
    },
  },
  {
    name: "readOnly refuses writes and reads what is there",
    needs: ["readOnly", "keeps"],
    run: async (subject) => {
      const first = await open(subject);
      await first.batch([put(ONE, bytes(1), bytes(2))], { sync: true });
      await first.close();
      const store = await open(subject, { readOnly: true });
      await rejectsWith("ERR_SERIES_READ_ONLY", () => store.batch([put(ONE, bytes(1), bytes(3))], { sync: true }));
      await rejectsWith("ERR_SERIES_READ_ONLY", () => store.deleteRange(ONE, bytes(0), bytes(9)));
      if (store.compact !== undefined) await rejectsWith("ERR_SERIES_READ_ONLY", async () => store.compact!(ONE));
      equalValues(await store.getMany(ONE, [bytes(1), bytes(2)]), ["02", undefined]);
      assert.deepEqual(await entriesOf(store, ONE, bytes(0), bytes(9)), ["01 02"]);
      await store.close();
      const again = await open(subject);
      equalValues(await again.getMany(ONE, [bytes(1)]), ["02"]);
      await again.close();
    },
  },
  {
    name: "readOnly makes no database",
    needs: ["readOnly"],
    run: async (subject) => {
      await rejectsWith("ERR_SERIES_STORE", () => open(subject, { readOnly: true }));
      await rejectsWith("ERR_SERIES_STORE", () => open(subject, { readOnly: true }));
    },
  },
];
