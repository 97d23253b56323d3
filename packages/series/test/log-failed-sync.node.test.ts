/** Syncs that fail: the system may have dropped what it could not write, so it is written again. And failures of any kind at any time. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deferred } from "../src/log/group.ts";
import type { Call } from "./harness/failing-file-system.ts";
import {
  closeCall,
  createCalls,
  pass,
  RECORD,
  RETRY,
  recovered,
  SYNC_EVERY,
  SYNCED,
  settle,
  startLog,
  syncCall,
  texts,
  writeCall,
  written,
} from "./harness/started-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const failed = { code: "ERR_SERIES_STORE", cause: { code: "EIO" } };

describe("sync", () => {
  test("the group is written again before the next sync", async () => {
    const { fileSystem, log, events, journal } = await startLog({ durability: "sync" });
    await written(log, 1);
    fileSystem.failing.set("datasync", "EIO");
    await expect(written(log, 2)).rejects.toMatchObject(failed);
    await pass(RETRY);
    fileSystem.failing.clear();
    journal.length = 0;
    await pass(RETRY);
    // The record of type synced went with the group that failed.
    expect(journal).toEqual([writeCall(1, 72, RECORD + SYNCED), syncCall(1)]);
    expect(events).toEqual(["ERR_SERIES_STORE", "recovered"]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
    await written(log, 3);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2, 3));
  });

  test("in a file that followed another one", async () => {
    const { fileSystem, log, journal } = await startLog({ durability: "sync" });
    await written(log, 1);
    log.rotate();
    await log.committed();
    fileSystem.failing.set("datasync", "EIO");
    await expect(written(log, 2)).rejects.toMatchObject(failed);
    fileSystem.failing.clear();
    journal.length = 0;
    await pass(RETRY);
    expect(journal).toEqual([writeCall(2, 32, RECORD), syncCall(2)]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
  });
});

describe("batch", () => {
  test("all records since the last good sync are written again, also records that came during the failed one", async () => {
    const { fileSystem, log, journal } = await startLog();
    const gates = [new Deferred(), new Deferred()];
    let syncs = 0;
    fileSystem.hold = (call) => (call === "datasync" ? gates[syncs++]?.promise : undefined);
    await written(log, 1);
    await pass(SYNC_EVERY);
    await written(log, 2);
    gates[0]!.resolve();
    await pass(SYNC_EVERY);
    // Record 1 is on the medium; the sync of record 2 is under way, and will fail.
    fileSystem.failing.set("datasync", "EIO");
    await written(log, 3);
    expect(log.failure).toBeUndefined();
    gates[1]!.resolve();
    await settle();
    expect(log.failure).toMatchObject(failed);
    fileSystem.failing.clear();
    journal.length = 0;
    await pass(RETRY);
    expect(log.failure).toBeUndefined();
    expect(journal).toEqual([writeCall(1, 72, 2 * RECORD + SYNCED), syncCall(1)]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2, 3));
  });

  test("a group that is being written when the sync fails is rejected, and written again", async () => {
    const { fileSystem, log, events } = await startLog();
    await written(log, 1);
    const gates = { datasync: new Deferred(), write: new Deferred() };
    fileSystem.hold = (call) => (call === "datasync" || call === "write" ? gates[call].promise : undefined);
    fileSystem.failing.set("datasync", "EIO");
    await pass(SYNC_EVERY);
    const call = written(log, 2);
    await settle();
    gates.datasync.resolve();
    await expect(call).rejects.toMatchObject(failed);
    // The write takes longer than the time to the first retry.
    await pass(RETRY);
    fileSystem.failing.clear();
    gates.write.resolve();
    await settle();
    expect(log.failure).toMatchObject(failed);
    await pass(RETRY);
    expect(log.failure).toBeUndefined();
    expect(events).toEqual(["ERR_SERIES_STORE", "recovered"]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
  });

  test("a new file is not started before the old one is written again", async () => {
    const { fileSystem, log, journal } = await startLog();
    await written(log, 1);
    log.rotate();
    fileSystem.failing.set("datasync", "EIO");
    await expect(written(log, 2)).rejects.toMatchObject(failed);
    fileSystem.failing.clear();
    journal.length = 0;
    await pass(RETRY);
    expect(journal).toEqual([
      writeCall(1, 32, RECORD),
      syncCall(1),
      ...createCalls(2),
      closeCall(1),
      writeCall(2, 32, RECORD),
      syncCall(2),
    ]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
  });
});

type Step =
  | "append"
  | "rotate"
  | "wait"
  | "retry"
  | "sync"
  | "heal"
  | { readonly fail: Call }
  | { readonly space: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.constant<Step>("append"), weight: 6 },
  { arbitrary: fc.constantFrom<Step>("rotate", "wait", "retry", "sync", "heal"), weight: 5 },
  fc.record({ fail: fc.constantFrom<Call>("open", "write", "truncate", "datasync", "syncFolder") }),
  fc.record({ space: fc.nat({ max: 300 }) }),
);

test("any failures at any time: in the end everything that was appended is there once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<"sync" | "batch">("sync", "batch"),
      fc.array(step, { maxLength: 60 }),
      async (durability, steps) => {
        const { fileSystem, log } = await startLog({ durability });
        const heal = () => {
          fileSystem.failing.clear();
          fileSystem.space = Number.POSITIVE_INFINITY;
        };
        const appended: number[] = [];
        let acknowledged = 0;
        for (const [i, one] of steps.entries()) {
          if (one === "append" && log.failure === undefined) {
            const count = appended.push(i);
            written(log, i).then(
              () => (acknowledged = Math.max(acknowledged, count)),
              () => {},
            );
          } else if (one === "rotate") log.rotate();
          else if (one === "wait") await settle();
          else if (one === "retry") await pass(RETRY);
          else if (one === "sync") log.sync().catch(() => {});
          else if (one === "heal") heal();
          else if (typeof one === "object" && "fail" in one) fileSystem.failing.set(one.fail, "EIO");
          else if (typeof one === "object") fileSystem.space = one.space;
        }
        await settle();
        const crashes = [fileSystem.inner.afterKill()];
        if (durability === "sync") crashes.push(fileSystem.inner.afterPowerLoss());
        for (const crashed of crashes) {
          const found = await recovered(crashed);
          expect(found.texts).toEqual(texts(...appended.slice(0, found.texts.length)));
          expect(found.texts.length).toBeGreaterThanOrEqual(acknowledged);
        }
        heal();
        await pass(RETRY);
        expect(log.failure).toBeUndefined();
        await log.close();
        const found = await recovered(fileSystem.inner.afterPowerLoss());
        expect(found.texts).toEqual(texts(...appended));
        expect(found.recovery.tornBytes).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
