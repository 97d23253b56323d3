/** Cases: data is kept, and an open database is locked. */
import assert from "node:assert/strict";
import { start } from "./other-process.js";
import { bytes, type Case, entriesOf, equalValues, numbered, ONE, open, put, rejectsWith, TWO } from "./subject.js";

/** Batches of the other process before it is killed. */
const BATCHES = 200;

/** Data outlives the store and the process; one process at a time can open it. */
export const DURABILITY_CASES: readonly Case[] = [
  {
    name: "what was written is there when the database is opened again, deletes included",
    needs: ["keeps"],
    run: async (subject) => {
      for (let round = 0; round < 3; round++) {
        const store = await open(subject);
        equalValues(await store.getMany(ONE, [numbered(round - 1 + 2 ** 31)]), [round === 0 ? undefined : "07"]);
        equalValues(await store.getMany(TWO, [bytes(9)]), [round % 2 === 0 ? undefined : "09"]);
        const toggled = { column: TWO, key: bytes(9), value: round % 2 === 0 ? bytes(9) : undefined };
        await store.batch([put(ONE, numbered(round + 2 ** 31), bytes(7)), toggled], { sync: false });
        if (round === 1) await store.deleteRange(ONE, numbered(2 ** 31), numbered(2 ** 31 + 1));
        await store.close();
      }
      const store = await open(subject);
      const entries = await entriesOf(store, ONE, numbered(0), numbered(2 ** 32 - 1));
      assert.deepEqual(entries, ["80000001 07", "80000002 07"]);
      await store.close();
    },
  },
  {
    name: "a second store of this process is ERR_SERIES_LOCKED until the first one is closed",
    needs: ["locks"],
    run: async (subject) => {
      const store = await open(subject);
      await rejectsWith("ERR_SERIES_LOCKED", () => open(subject));
      if (subject.promises?.readOnly !== false)
        await rejectsWith("ERR_SERIES_LOCKED", () => open(subject, { readOnly: true }));
      await store.batch([put(ONE, bytes(1), bytes(1))], { sync: true });
      await store.close();
      const again = await open(subject);
      await again.close();
    },
  },
  {
    name: "a store of another process is ERR_SERIES_LOCKED; after SIGKILL all that it wrote with sync is there",
    needs: ["locks", "survivesKill"],
    run: async (subject) => {
      const other = await start(subject);
      try {
        await other.waitFor(1);
        await rejectsWith("ERR_SERIES_LOCKED", () => open(subject));
        await other.waitFor(BATCHES);
      } finally {
        await other.kill();
      }
      const acknowledged = other.acknowledged();
      assert.ok(acknowledged >= BATCHES);
      const store = await open(subject);
      for (const column of [ONE, TWO]) {
        const entries = await entriesOf(store, column, numbered(0), numbered(2 ** 31));
        // The last, interrupted batch may be missing, but not be incomplete.
        assert.ok(
          entries.length === acknowledged || entries.length === acknowledged + 1,
          `${entries.length} of ${acknowledged}`,
        );
      }
      equalValues(await store.getMany(ONE, [numbered(acknowledged - 1)]), [
        Buffer.alloc(100, acknowledged - 1).toString("hex"),
      ]);
      await store.close();
    },
  },
];
