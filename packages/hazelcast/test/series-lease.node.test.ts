/** Acquiring and releasing a lease while a member leaves: a fake map reports unknown outcomes, as the cluster does then. */
import { expect, test } from "vitest";
import type { ControlMap } from "../src/series/columns.ts";
import { Lease } from "../src/series/lease.ts";

// The driver recognises the client's error by the name of its class.
class IndeterminateOperationStateError extends Error {}

/** A map whose calls do their work and then fail: each call fails `failures` times before it succeeds. */
function uncertainMap(failures: number) {
  const entries = new Map<string, string>();
  let left = failures;
  const answer = async <T>(result: T): Promise<T> => {
    if (left-- > 0) throw new IndeterminateOperationStateError();
    left = failures;
    return result;
  };
  const map = {
    putIfAbsent: (key: string, value: string) => {
      const former = entries.get(key) ?? null;
      if (former === null) entries.set(key, value);
      return answer(former);
    },
    set: (key: string, value: string) => {
      entries.set(key, value);
      return answer(undefined);
    },
    remove: (key: string, value: string) => answer(entries.get(key) === value && entries.delete(key)),
  };
  return { entries, map: map as unknown as ControlMap };
}

const OPTIONS = { name: "store", leaseMs: 60_000, waitMs: 0 };

test("calls with an unknown outcome are repeated, and find their own entry", async () => {
  const { entries, map } = uncertainMap(2);
  const lease = await Lease.acquire(map, OPTIONS);
  await lease.assertHeld();
  expect(entries.get("owner")).toBe(entries.get("lastOwner"));
  await expect(Lease.acquire(map, OPTIONS)).rejects.toMatchObject({ code: "ERR_SERIES_LOCKED" });
  await lease.release();
  expect(entries.has("owner")).toBe(false);
});

test("a call whose outcome stays unknown fails after several attempts", async () => {
  await expect(Lease.acquire(uncertainMap(5).map, OPTIONS)).rejects.toBeInstanceOf(IndeterminateOperationStateError);
}, 10_000);
