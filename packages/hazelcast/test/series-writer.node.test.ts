/** How a batch is written to the maps: which calls run concurrently, and which wait. The test decides when each call ends. */
import { expect, test } from "vitest";
import type { Column } from "../src/series/columns.ts";
import type { Lease } from "../src/series/lease.ts";
import { MapWriter } from "../src/series/writer.ts";
import { until } from "./harness/until.ts";

const NAMES = ["meta", "minutes", "hours"];
const text = (value: string): Buffer => Buffer.from(value, "latin1");
const put = (column: number, key: string) => ({ column, key: text(key), value: new Uint8Array(1) });
const drop = (column: number, key: string) => ({ column, key: text(key) });
/** The batch of a round, with operations in each stage. */
const BATCH = [drop(1, "old"), put(0, "sealed"), put(2, "hour"), put(1, "a"), put(1, "b"), put(0, "next")];

class IndeterminateOperationStateError extends Error {}

/** A writer whose calls of maps end only when the test ends them. */
function pausedWriter({ failures = 0 } = {}) {
  const calls: { readonly name: string; end(error?: Error): void }[] = [];
  const pausedCall = (name: string) =>
    new Promise<void>((resolve, reject) => {
      calls.push({ name, end: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  const columns = NAMES.map((name) => ({
    name,
    map: {
      setAll: (entries: [string, Buffer][]) =>
        pausedCall(`${name} set ${entries.map(([key]) => originalOf(key)).join(" ")}`),
      delete: (key: string) => pausedCall(`${name} delete ${originalOf(key)}`),
    },
  })) as unknown as Column[];
  let failed = 0;
  const lease = {
    async assertHeld() {
      if (failed++ < failures) throw new IndeterminateOperationStateError();
    },
  } as Lease;
  // Each key is in a separate partition.
  const writer = new MapWriter(columns, lease, (key) => Number.parseInt(key, 16));
  /** Waits until exactly these calls have started. */
  const came = async (...names: string[]): Promise<void> => {
    await until(() => calls.length >= names.length);
    expect(calls.map(({ name }) => name).sort()).toEqual(names.sort());
  };
  const endAll = (): void => {
    for (const call of calls.splice(0)) call.end();
  };
  return { writer, calls, came, endAll };
}

/** Decodes a key to the test's text. */
const originalOf = (hex: string): string => Buffer.from(hex, "hex").toString("latin1");

test("maps of a stage are written together; each stage waits until the one before is acknowledged", async () => {
  const { writer, calls, came, endAll } = pausedWriter();
  const done = writer.batch(BATCH)();
  await came("meta set next");
  endAll();
  const pages = ["hours set hour", "minutes set a", "minutes set b"];
  await came(...pages);
  calls.pop()!.end();
  calls.shift()!.end();
  await new Promise(setImmediate);
  expect(calls.length).toBe(1);
  endAll();
  await came("meta set sealed");
  endAll();
  await came("minutes delete old");
  endAll();
  await done;
});

test("a failed write fails the batch after all other writes of its stage have ended", async () => {
  const { writer, calls, came, endAll } = pausedWriter();
  const done = writer.batch(BATCH)();
  let ended = false;
  const failed = done.catch((error: unknown) => {
    ended = true;
    return error;
  });
  await came("meta set next");
  endAll();
  await came("hours set hour", "minutes set a", "minutes set b");
  const error = new Error("the member is full");
  calls.shift()!.end(error);
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  endAll();
  expect(await failed).toBe(error);
  expect(calls).toEqual([]);
});

test("a write whose outcome is unknown is repeated, and the next stage waits for it", async () => {
  const { writer, calls, came, endAll } = pausedWriter();
  const done = writer.batch([put(1, "a"), put(0, "sealed")])();
  await came("minutes set a");
  calls.shift()!.end(new IndeterminateOperationStateError("a backup is silent"));
  await came("minutes set a");
  endAll();
  await came("meta set sealed");
  endAll();
  await done;
});

test("when a member leaves, renewing the lease is repeated like a write", async () => {
  const { writer, calls, came, endAll } = pausedWriter({ failures: 3 });
  const done = writer.batch([put(0, "next")])();
  await came("meta set next");
  expect(calls.length).toBe(1);
  endAll();
  await done;
});
