/** Writes batches into maps. Each write is one that can be repeated, so one whose outcome is unknown is repeated. */
import type { Operation } from "@moonpack/series/drivers";
import { Predicates } from "hazelcast-client";
import { certain } from "./certain.js";
import type { Column, ColumnMap } from "./columns.js";
import type { Lease } from "./lease.js";
import { orderOf, type Piece } from "./write-order.js";

/** Deletes that are under way at a time: the client has no call for many keys. */
const DELETES = 256;
/** Pieces that are under way at a time: those of several maps, and of a large batch. */
const PIECES = 4;
/** The writing half of a store. */
export class MapWriter {
  readonly #columns: readonly Column[];
  readonly #lease: Lease;
  readonly #partitionOf: (key: string) => number;

  /** `partitionOf` is the client's own. */
  constructor(columns: readonly Column[], lease: Lease, partitionOf: (key: string) => number) {
    this.#columns = columns;
    this.#lease = lease;
    this.#partitionOf = partitionOf;
  }

  /** Copies a batch, and returns what writes it. Each stage is acknowledged before anything of the next one is sent. */
  batch(operations: readonly Operation[]): () => Promise<void> {
    const { stages, deletes } = orderOf(operations, this.#columns);
    return async () => {
      for (const pieces of stages) {
        for (let at = 0; at < pieces.length; at += PIECES) {
          const some = pieces.slice(at, at + PIECES);
          await this.#certain(() => allEnded(some.map((piece) => this.#set(this.#columns[piece.column]!.map, piece))));
        }
      }
      for (let at = 0; at < deletes.length; at += DELETES) {
        const some = deletes.slice(at, at + DELETES);
        await this.#certain(() => allEnded(some.map(({ column, key }) => this.#columns[column]!.map.delete(key))));
      }
    };
  }

  /** Returns what deletes a range of a column: one call, for which members look at their own keys. */
  deleteRange(column: number, from: string, to: string): () => Promise<void> {
    const { map } = this.#columns[column]!;
    const predicate = Predicates.and(Predicates.greaterEqual("__key", from), Predicates.lessThan("__key", to));
    return async () => {
      if (from < to) await this.#certain(() => map.removeAll(predicate));
    };
  }

  /** One request for each partition. The client would split the entries likewise, but not wait for all when one fails. */
  #set(map: ColumnMap, { entries }: Piece): Promise<void> {
    const groups = new Map<number, [string, Buffer][]>();
    for (const entry of entries) {
      const partition = this.#partitionOf(entry[0]);
      const group = groups.get(partition);
      if (group === undefined) groups.set(partition, [entry]);
      else group.push(entry);
    }
    return allEnded([...groups.values()].map((group) => map.setAll(group)));
  }

  /** Repeats a write, and what prolongs the lease before it: of a short one that may be as uncertain. */
  #certain(write: () => Promise<unknown>): Promise<void> {
    return certain(async () => {
      await this.#lease.assertHeld();
      await write();
    });
  }
}

/**
 * Waits until all have ended, and fails as the first one that failed. A request that is still repeated by the client could otherwise
 * reach a member after newer values.
 */
async function allEnded(writes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
