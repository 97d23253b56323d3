/**
 * The write order of a batch. Members write entries one by one, so a crash may leave a batch half written. The entries written first
 * must be harmless alone; the log then repeats the rest.
 */
import type { Operation } from "@moonpack/series-kv";
import { textOf } from "./keys.js";

/** Entries of one map that are written together. */
export interface EntryGroup {
  readonly column: number;
  readonly entries: [key: string, value: Buffer][];
}

/** A batch in write order: stages, then deletes. The groups of one stage may be written in any order, and share no key. */
export interface OrderedBatch {
  readonly stages: readonly (readonly EntryGroup[])[];
  readonly deletes: readonly { readonly column: number; readonly key: string }[];
}

/** Bytes of a group. A larger value gets its own group. */
const GROUP_BYTES = 2 ** 20;
/** Estimated overhead of an entry, besides its key and value. */
const ENTRY_BYTES = 48;
/** The column of the store's counters (docs/series-format.md, section 1). */
const META = "meta";

/**
 * Returns a batch in write order: reserved ids and kept damaged pages (entries of `meta`), then all other columns, then the entries of
 * `meta` that end a round of sealing, then deletes. Of several operations on a key only the last one counts. Values are copied.
 */
export function inWriteOrder(
  operations: readonly Operation[],
  columns: readonly { readonly name: string }[],
): OrderedBatch {
  const last = new Map<string, Operation>();
  for (const operation of operations) last.set(`${operation.column} ${textOf(operation.key)}`, operation);
  const stages: Operation[][] = [[], [], []];
  const deletes: { column: number; key: string }[] = [];
  for (const operation of last.values()) {
    const { column, value } = operation;
    const key = textOf(operation.key);
    if (value === undefined) deletes.push({ column, key });
    else if (columns[column]!.name !== META) stages[1]!.push(operation);
    else stages[endsRound(operation.key) ? 2 : 0]!.push(operation);
  }
  return { stages: stages.filter(({ length }) => length > 0).map(groupsOf), deletes };
}

function groupsOf(operations: readonly Operation[]): EntryGroup[] {
  const groups: EntryGroup[] = [];
  const open = new Map<number, { readonly group: EntryGroup; bytes: number }>();
  for (const { column, key, value } of operations) {
    const bytes = 2 * key.length + value!.length + ENTRY_BYTES;
    let one = open.get(column);
    if (one === undefined || one.bytes + bytes > GROUP_BYTES) {
      one = { group: { column, entries: [] }, bytes: 0 };
      open.set(column, one);
      groups.push(one.group);
    }
    one.group.entries.push([textOf(key), Buffer.from(value!)]);
    one.bytes += bytes;
  }
  return groups;
}

/** True for entries of `meta` that mark pages as written, after which their log can be deleted. */
function endsRound(key: Uint8Array): boolean {
  const name = Buffer.from(key.buffer, key.byteOffset, key.length).toString("latin1");
  return name === "format" || name === "log" || name === "sealed";
}
