// The worker's data for one input: bytes, items, open containers and sizes. It answers the page's calls.

import { toBase64 } from "../shared/base64.ts";
import { shownText } from "../shared/shown.ts";
import { type Fault, faultOf } from "../shared/worker-calls.ts";
import { decodedValue, jsonOf } from "./decoding.ts";
import { detectFormat, type Format, itemsOf } from "./formats.ts";
import { toHex } from "./hex.ts";
import { ItemStore, type ItemTexts, NONE } from "./item-store.ts";
import { keyOf, MsgpackTexts } from "./msgpack-texts.ts";
import type { BytePart } from "./part-writer.ts";
import { partsOf } from "./parts.ts";
import { pckParts } from "./pck-parts.ts";
import { PckTypes } from "./pck-types.ts";
import { protobufParts } from "./protobuf-parts.ts";
import { readItems } from "./read-items.ts";
import type { ReadSettings } from "./settings.ts";
import { lookOf } from "./signatures.ts";
import { type SizePart, Sizes, visibleParts } from "./sizes.ts";
import type { SourceBytes } from "./source.ts";
import { VisibleRows } from "./visible-rows.ts";

/** The summary of an input that has been read. */
export interface Summary {
  readonly format: Format;
  readonly from: SourceBytes["from"];
  readonly settings: ReadSettings;
  readonly size: number;
  readonly items: number;
  /** Items in the tree, if not all. */
  readonly kept?: number;
  /** Rows of the tree in view. */
  readonly rows: number;
  /** The number of bytes that the printed input leaves out. */
  readonly missing?: number | "some";
  /** Why the input is broken, and where. */
  readonly fault?: Fault;
  /** A known file format with the same first bytes, if the input is broken: a picture, an archive. */
  readonly look?: string;
  /** The error of `decode` with the chosen options. */
  readonly refusal?: Fault;
  readonly sizes: SizePart;
}

/** A row of the tree. */
export interface Row extends ItemTexts {
  readonly item: number;
  readonly level: number;
  /** Key, index or name before the value. */
  readonly label: string;
  /** Undefined for an item without content. */
  readonly isOpen?: boolean;
  readonly isFault: boolean;
  /** The first byte, with the key. */
  readonly from: number;
  /** The first byte without the key. */
  readonly offset: number;
  /** The end of the item's own bytes. */
  readonly end: number;
  /** The end of all that is inside. */
  readonly spanEnd: number;
  /** The key and the item byte by byte. */
  readonly parts: readonly BytePart[];
}

/** Bytes that follow each other, with one name. */
export interface ByteName {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** The forms in which bytes are copied. */
export const COPY_FORMS = ["hex", "base64", "json", "typed"] as const;
/** One of {@link COPY_FORMS}. */
export type CopyForm = (typeof COPY_FORMS)[number];

/** Levels of the picture of sizes. */
const SIZE_LEVELS = 6;
/** The most characters of a path in the name of a byte. */
const MAX_NAMED_PATH = 40;
/** Rows whose texts are kept. */
const KEPT_ROWS = 4096;

/** One input that was read. */
export class Inspector {
  readonly summary: Summary;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #store: ItemStore;
  readonly #rows: VisibleRows;
  readonly #texts = new Map<number, ItemTexts & { readonly label: string }>();
  readonly #msgpack: MsgpackTexts;
  #types: PckTypes | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>, store: ItemStore, rows: VisibleRows, summary: Summary) {
    this.#bytes = bytes;
    this.#store = store;
    this.#rows = rows;
    this.summary = summary;
    this.#msgpack = new MsgpackTexts(store, bytes, summary.settings.sequence);
  }

  /** Rows of the tree from one to another, which is not included. */
  rows(from: number, to: number): Row[] {
    const rows: Row[] = [];
    for (let row = Math.max(0, from); row < Math.min(to, this.#rows.count); row++)
      rows.push(this.row(this.#rows.at(row)));
    return rows;
  }

  /** An item as a row. */
  row(item: number): Row {
    const store = this.#store;
    const key = keyOf(store, item);
    return {
      ...this.#textsOf(item),
      item,
      level: store.depth(item) + 1,
      ...(store.hasContent(item) ? { isOpen: this.#rows.isOpen(item) } : {}),
      isFault: store.isFault(item),
      from: store.offset(key === NONE ? item : key),
      offset: store.offset(item),
      end: store.end(item),
      spanEnd: store.spanEnd(item),
      parts: [key, item].flatMap((one) => this.#partsOf(one)),
    };
  }

  /** The name of each byte from one to another, for readers who do not see the tree: runs of bytes of one item. */
  names(from: number, to: number): ByteName[] {
    const names: ByteName[] = [];
    for (let at = from; at < to; ) {
      const item = this.#store.itemAt(at);
      const end = item === NONE ? at + 1 : Math.max(at + 1, this.#store.end(item));
      names.push({ from: at, to: Math.min(end, to), name: item === NONE ? "no value" : this.#nameOf(item) });
      at = end;
    }
    return names;
  }

  #nameOf(item: number): string {
    const { path, format, meaning } = this.#textsOf(item);
    // Hundreds of names are in the page at a time, and paths in deep input have thousands of characters.
    const place = path.length > MAX_NAMED_PATH ? `..${path.slice(-MAX_NAMED_PATH)}` : path;
    return `${this.#store.isKey(item) ? `key in ${place}` : place}, ${format}, ${meaning}`;
  }

  #partsOf(item: number): BytePart[] {
    const store = this.#store;
    const { format } = this.summary;
    // Of what is malformed, only text has bytes that can be explained.
    if (item === NONE || (store.isFault(item) && (format !== "msgpack" || store.texts(item)?.format === "broken")))
      return [];
    if (format === "pck") return pckParts(this.#bytes, store, item, this.#pckTypes());
    const [from, to] = [store.offset(item), store.end(item)];
    return format === "msgpack"
      ? partsOf(this.#bytes, from, to, store.isFault(item))
      : protobufParts(this.#bytes, from, to);
  }

  /** The types of a container; undefined if its schema was not read. */
  #pckTypes(): PckTypes | undefined {
    // The container is the first item, and its schema the second one.
    if (this.#types === undefined && this.#store.count > 2 && this.#store.texts(1)?.format === "schema")
      this.#types = new PckTypes(this.#bytes, this.#store, 1);
    return this.#types;
  }

  /** Opens or closes an item. Returns the number of rows. */
  open(item: number, isOpen: boolean): number {
    this.#rows.setOpen(item, isOpen);
    return this.#rows.count;
  }

  /** The item at a byte as a row, with the place of the row or of its visible container. Undefined if no item has the byte. */
  at(byte: number): { readonly row: Row; readonly index: number } | undefined {
    const item = this.#store.itemAt(byte);
    if (item === NONE) return undefined;
    const shown = this.#store.isInRowOfNext(item) ? item + 1 : item;
    return { row: this.row(shown), index: this.#rows.rowOf(shown) };
  }

  /** Opens all around an item. Returns its row's index and the number of rows. */
  reveal(item: number): { readonly index: number; readonly rows: number } {
    return { index: this.#rows.reveal(item), rows: this.#rows.count };
  }

  /** The row of an item's container, and its index. Undefined at the top. */
  around(item: number): { readonly row: Row; readonly index: number } | undefined {
    const parent = this.#store.parent(item);
    return parent === NONE ? undefined : { row: this.row(parent), index: this.#rows.rowOf(parent) };
  }

  /** An item with its content, or the whole input, in a form to copy. Throws the decoder's errors. */
  async copy(form: CopyForm, item: number | undefined): Promise<string> {
    const { format, settings } = this.summary;
    const bytes =
      item === undefined ? this.#bytes : this.#bytes.slice(this.#store.offset(item), this.#store.spanEnd(item));
    if (form === "hex") return toHex(bytes);
    if (form === "base64") return toBase64(bytes);
    const single = item === undefined ? settings : { ...settings, sequence: false };
    return jsonOf(item === undefined || format === "msgpack" ? bytes : this.#bytes, format, single, form === "typed");
  }

  #textsOf(item: number): ItemTexts & { readonly label: string } {
    const known = this.#texts.get(item);
    if (known !== undefined) return known;
    const { path, format, meaning } = this.#rawTexts(item);
    if (this.#texts.size >= KEPT_ROWS) this.#texts.clear();
    const label = shownText(this.#label(item, path));
    const labelled = { path: shownText(path), format, meaning: shownText(meaning), label };
    this.#texts.set(item, labelled);
    return labelled;
  }

  /** The texts as they are: characters that hide are not escapes yet. */
  #rawTexts(item: number): ItemTexts {
    if (this.summary.format === "msgpack") return this.#msgpack.of(item);
    return this.#store.texts(item) ?? { path: "", format: "", meaning: "" };
  }

  #label(item: number, path: string): string {
    const parent = this.#store.parent(item);
    if (this.#store.isKey(item)) return "key";
    if (parent === NONE) return path === "$" ? "" : path.slice(1);
    const step = path.slice(this.#rawTexts(parent).path.length);
    return step.startsWith(".") ? step.slice(1) : step;
  }
}

/** Reads an input. Calls `report` with the offset that was reached. Throws `ERR_ABORTED` when the signal aborts. */
export async function inspect(
  { bytes, from, missing }: SourceBytes,
  wished: ReadSettings,
  report: (offset: number) => void,
  signal: AbortSignal,
): Promise<Inspector> {
  const settings = from === "ndjson" ? { ...wished, sequence: true } : wished;
  const format = settings.format ?? detectFormat(bytes);
  const isSequence = format === "msgpack" && settings.sequence;
  const store = new ItemStore(format !== "msgpack");
  const sizes = new Sizes(isSequence);
  const { items, fault } = await readItems(itemsOf(bytes, format, settings), store, sizes, report, signal);
  const refusal = format === "protobuf" ? undefined : await refusalOf(bytes, format, settings, signal);
  const look = fault === undefined ? undefined : lookOf(bytes);
  const rows = new VisibleRows(store);
  return new Inspector(bytes, store, rows, {
    ...{ format, from, settings, items, size: bytes.length, rows: rows.count },
    ...(store.count < items ? { kept: store.count } : {}),
    ...(missing === undefined ? {} : { missing }),
    ...(fault === undefined ? {} : { fault }),
    ...(look === undefined ? {} : { look }),
    ...(refusal === undefined ? {} : { refusal }),
    sizes: visibleParts(sizes.root, SIZE_LEVELS),
  });
}

async function refusalOf(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
  settings: ReadSettings,
  signal: AbortSignal,
): Promise<Fault | undefined> {
  try {
    await decodedValue(bytes, format, settings, signal);
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return faultOf(error);
  }
}
