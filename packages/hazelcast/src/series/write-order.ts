/**
 * The order of a batch. Members write each entry for itself, so a crash may leave half of a batch. What is written first must do no
 * harm alone: the log repeats the rest.
 */
import type { Operation } from "@moonpack/series/drivers";
import { textOf } from "./keys.js";

/** Entries of one map that are written together. */
export interface Piece {
  readonly column: number;
  readonly entries: [key: string, value: Buffer][];
}

/** A batch in its order: stage by stage, then the deletes. Pieces of one stage do no harm in any order, and have no key in common. */
export interface Ordered {
  readonly stages: readonly (readonly Piece[])[];
  readonly deletes: readonly { readonly column: number; readonly key: string }[];
}

/** Bytes of a piece. A larger value is a piece of its own. */
const PIECE_BYTES = 2 ** 20;
/** About what an entry takes besides its key and its value. */
const ENTRY_BYTES = 48;
/** The column of the store's numbers (docs/series-format.md, section 1). */
const META = "meta";
/**
 * Orders a batch: reserved ids and damaged pages that are kept (the other entries of `meta`), then all other columns, then the numbers
 * that end a round, then deletes. Of several operations on a key only the last one counts. Values are copied.
 */
export function orderOf(operations: readonly Operation[], columns: readonly { readonly name: string }[]): Ordered {
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
  return { stages: stages.filter(({ length }) => length > 0).map(piecesOf), deletes };
}

function piecesOf(operations: readonly Operation[]): Piece[] {
  const pieces: Piece[] = [];
  const open = new Map<number, { readonly piece: Piece; bytes: number }>();
  for (const { column, key, value } of operations) {
    const bytes = 2 * key.length + value!.length + ENTRY_BYTES;
    let one = open.get(column);
    if (one === undefined || one.bytes + bytes > PIECE_BYTES) {
      one = { piece: { column, entries: [] }, bytes: 0 };
      open.set(column, one);
      pieces.push(one.piece);
    }
    one.piece.entries.push([textOf(key), Buffer.from(value!)]);
    one.bytes += bytes;
  }
  return pieces;
}

/** The entries of `meta` by which pages count as written, and the log as superfluous. */
function endsRound(key: Uint8Array): boolean {
  const name = Buffer.from(key.buffer, key.byteOffset, key.length).toString("latin1");
  return name === "format" || name === "log" || name === "sealed";
}
