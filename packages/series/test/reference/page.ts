/** Pages: one minute or one hour of sixteen metrics, with their time columns stored once. */
import { type Bytes, Cursor, fixed, hexOf } from "./bytes.ts";
import { checksum, verify } from "./checksum.ts";
import { decodePageKey, encodePageKey, type PageKey } from "./page-key.ts";
import { decodeTimes, encodeTimes } from "./times.ts";
import { decodeValues, encodeValues, type Values } from "./values.ts";

const VERSION = 1;

/** The points of one metric. */
export type Slot = {
  /** The low four bits of the metric's id. */
  readonly slot: number;
  readonly times: readonly number[];
} & Values;

export interface Page extends PageKey {
  /** In minutes. */
  readonly span: 1 | 60;
  /** Ascending by slot. */
  readonly slots: readonly Slot[];
}

export function encodePage(page: Page): { key: number[]; bytes: number[] } {
  const key = encodePageKey(page);
  // A shared list is encoded once: the list of an hour takes a second.
  const lists = new Map([...new Set(page.slots.map(({ times }) => times))].map((times) => [times, encodeTimes(times)]));
  const encoded = page.slots.map(({ times }) => lists.get(times)!);
  const columns = [...new Map(encoded.map((column) => [hexOf(column), column])).entries()];
  const blocks = page.slots.map((slot, i) => {
    const column = columns.findIndex(([hex]) => hex === hexOf(encoded[i]!));
    return columns.length > 1 ? [column, ...encodeValues(slot)] : encodeValues(slot);
  });
  const present = page.slots.reduce((bits, { slot }) => bits + 2 ** slot, 0);
  const bytes = [
    ...[VERSION, page.span, ...fixed(present, 2), columns.length],
    ...columns.flatMap(([, column]) => column),
    ...blocks.flat(),
  ];
  return { key, bytes: [...bytes, ...checksum([...key, ...bytes])] };
}

export function decodePage(key: Bytes, bytes: Bytes): Page {
  const body = bytes.slice(0, -4);
  verify([...key, ...body], bytes.slice(-4));
  const cursor = new Cursor(body);
  if (cursor.u8() !== VERSION) throw new Error("another version");
  const span = cursor.u8() === 60 ? 60 : 1;
  const present = Number(cursor.fixed(2));
  const columns = Array.from({ length: cursor.u8() }, () => decodeTimes(cursor));
  const slots: Slot[] = [];
  for (let slot = 0; slot < 16; slot++) {
    if ((present & (1 << slot)) === 0) continue;
    const times = columns[columns.length > 1 ? cursor.u8() : 0]!;
    slots.push({ slot, times, ...decodeValues(times.length, cursor) });
  }
  if (!cursor.isAtEnd) throw new Error("bytes are left over");
  return { ...decodePageKey(key), span, slots };
}
