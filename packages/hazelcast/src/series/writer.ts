/** Writes batches into maps. All writes are idempotent: a write with an unknown outcome is repeated. */
import type { Operation } from "@moonpack/series-kv";
import { Predicates } from "hazelcast-client";
import type { Column, ColumnMap } from "./columns.js";
import type { Lease } from "./lease.js";
import { retryWhileOutcomeUnknown } from "./retry-unknown.js";
import { type EntryGroup, inWriteOrder } from "./write-order.js";

/** Maximum number of concurrent deletes: the client cannot delete several keys with one call. */
const CONCURRENT_DELETES = 256;
/** Maximum number of groups that are written concurrently. */
const CONCURRENT_GROUPS = 4;

/** Writes and deletes entries of a store. */
export class MapWriter {
  readonly #columns: readonly Column[];
  readonly #lease: Lease;
  readonly #partitionOf: (key: string) => number;

  /** `partitionOf` is the client's partition function. */
  constructor(columns: readonly Column[], lease: Lease, partitionOf: (key: string) => number) {
    this.#columns = columns;
    this.#lease = lease;
    this.#partitionOf = partitionOf;
  }

  /** Copies a batch, and returns a function that writes it. Each stage is acknowledged before the next one is sent. */
  batch(operations: readonly Operation[]): () => Promise<void> {
    const { stages, deletes } = inWriteOrder(operations, this.#columns);
    return async () => {
      for (const groups of stages) {
        for (let at = 0; at < groups.length; at += CONCURRENT_GROUPS) {
          const next = groups.slice(at, at + CONCURRENT_GROUPS);
          await this.#writeWithLease(() =>
            allEnded(next.map((group) => this.#set(this.#columns[group.column]!.map, group))),
          );
        }
      }
      for (let at = 0; at < deletes.length; at += CONCURRENT_DELETES) {
        const next = deletes.slice(at, at + CONCURRENT_DELETES);
        await this.#writeWithLease(() =>
          allEnded(next.map(({ column, key }) => this.#columns[column]!.map.delete(key))),
        );
      }
    };
  }

  /** Returns a function that deletes a range of a column with one call: each member searches its own keys. */
  deleteRange(column: number, from: string, to: string): () => Promise<void> {
    const { map } = this.#columns[column]!;
    const predicate = Predicates.and(Predicates.greaterEqual("__key", from), Predicates.lessThan("__key", to));
    return async () => {
      if (from < to) await this.#writeWithLease(() => map.removeAll(predicate));
    };
  }

  /** Sends one request for each partition. `setAll` of the client does the same, but does not wait for all requests when one fails. */
  #set(map: ColumnMap, { entries }: EntryGroup): Promise<void> {
    const groups = new Map<number, [string, Buffer][]>();
    for (const entry of entries) {
      const partition = this.#partitionOf(entry[0]);
      const group = groups.get(partition);
      if (group === undefined) groups.set(partition, [entry]);
      else group.push(entry);
    }
    return allEnded([...groups.values()].map((group) => map.setAll(group)));
  }

  /** Checks the lease, then writes; repeats both while the outcome is unknown. */
  #writeWithLease(write: () => Promise<unknown>): Promise<void> {
    return retryWhileOutcomeUnknown(async () => {
      await this.#lease.assertHeld();
      await write();
    });
  }
}

/**
 * Waits until all writes have ended, then throws the first error. Otherwise a request that the client still repeats could reach a member
 * after newer values.
 */
async function allEnded(writes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
