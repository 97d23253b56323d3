/** Taking and releasing a store while a member is leaving: the map that stands for the cluster's answers as uncertainly as it does then. */
import { expect, test } from "vitest";
import type { ControlMap } from "../src/series/columns.ts";
import { Lease } from "../src/series/lease.ts";

// The driver knows the client's error by its class's name.
class IndeterminateOperationStateError extends Error {}

/** A map of which each call does its work, and then fails as often as this in turn. */
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

const OPTIONS = { name: "store", leaseMillis: 60_000, waitMillis: 0 };

test("what is uncertain is repeated, and meets its own entry", async () => {
  const { entries, map } = uncertainMap(2);
  const lease = await Lease.take(map, OPTIONS);
  await lease.assertHeld();
  expect(entries.get("owner")).toBe(entries.get("lastOwner"));
  await expect(Lease.take(map, OPTIONS)).rejects.toMatchObject({ code: "ERR_SERIES_LOCKED" });
  await lease.release();
  expect(entries.has("owner")).toBe(false);
});

test("what stays uncertain is an error, and not for ever", async () => {
  await expect(Lease.take(uncertainMap(5).map, OPTIONS)).rejects.toBeInstanceOf(IndeterminateOperationStateError);
}, 10_000);
