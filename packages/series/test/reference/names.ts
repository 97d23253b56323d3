/** Names files of version 2, from the format's page alone: written and read without any regard to speed. */
import { type Bytes, Cursor, fixed, fixedBE, utf8 } from "./bytes.ts";
import { checksum, verify } from "./checksum.ts";
import { decodeIntegers, encodeIntegers } from "./integers.ts";
import { encodeMetric, type Metric, type MetricType, TYPES } from "./metric.ts";
import { chunkOf, encodeChunk, indexKey } from "./tag-index.ts";
import { readUvar, uvar } from "./varint.ts";

/** A registered metric. */
export interface NamedMetric extends Metric {
  readonly id: number;
  readonly type: MetricType;
}

type TableEntry = readonly [key: Bytes, value: Bytes];

const PAGE_ENTRIES = 64;
const ID_PAGE = 1024;

const sealed = (bytes: Bytes): number[] => [...bytes, ...checksum(bytes)];
const uvars = (...integers: readonly number[]): number[] => integers.flatMap((one) => [...uvar(BigInt(one))]);

function list(integers: readonly number[]): number[] {
  if (integers.length === 0) return [];
  const { codec, bytes } = encodeIntegers(integers.map(BigInt));
  return [codec, ...bytes];
}

function readList(count: number, cursor: Cursor): number[] {
  return count === 0 ? [] : decodeIntegers(cursor.u8(), count, cursor).map(Number);
}

function compare(a: Bytes, b: Bytes): number {
  return Buffer.compare(Uint8Array.from(a), Uint8Array.from(b));
}

function sharedOf(a: Bytes, b: Bytes): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

function pagesOf<T>(all: readonly T[], size: number): T[][] {
  const pages: T[][] = [];
  for (let i = 0; i < all.length; i += size) pages.push(all.slice(i, i + size));
  return pages;
}

function tablePage(entries: readonly TableEntry[]): number[] {
  let before: Bytes = [];
  const bytes = uvars(entries.length);
  for (const [key, value] of entries) {
    const shared = sharedOf(before, key);
    bytes.push(...uvars(shared, key.length - shared, value.length), ...key.slice(shared), ...value);
    before = key;
  }
  return sealed(bytes);
}

/** The shortest beginning of a page's first key that is greater than the last key of the page before. */
function separatorsOf(pages: readonly TableEntry[][]): number[][] {
  return pages.map((page, i) => {
    const before = i === 0 ? [] : pages[i - 1]!.at(-1)![0];
    const [key] = page[0]!;
    return key.slice(0, sharedOf(before, key) + 1);
  });
}

/** The entries of the tag index, by ascending key. */
function tagEntries(metrics: readonly NamedMetric[]): TableEntry[] {
  const sets = new Map<string, { key: number[]; ids: number[] }>();
  for (const { id, name, tags } of [...metrics].sort((a, b) => a.id - b.id))
    for (const [tag, value] of [["", name] as const, ...tags]) {
      if (value === "") continue;
      const key = indexKey(tag, value, chunkOf(id));
      const set = sets.get(String(key)) ?? { key, ids: [] };
      set.ids.push(id);
      sets.set(String(key), set);
    }
  return [...sets.values()].map(({ key, ids }) => [key, encodeChunk(ids)] as const).sort(([a], [b]) => compare(a, b));
}

/** The bytes of a names file. */
export function encodeNames(file: number, metrics: readonly NamedMetric[]): number[] {
  const forms = metrics
    .map((one) => ({
      id: one.id,
      entry: [encodeMetric(one), [...fixedBE(one.id, 4), TYPES.indexOf(one.type)]] as const,
    }))
    .sort((a, b) => compare(a.entry[0], b.entry[0]));
  const bytes = [...utf8("moonnam1"), ...fixed(2, 4), ...fixed(file, 4)];
  const append = (parts: readonly number[][]) =>
    parts.map((part) => {
      const offset = bytes.length;
      bytes.push(...part);
      return { offset, length: part.length };
    });
  const tables = [forms.map(({ entry }) => entry), tagEntries(metrics)].map((entries) => {
    const pages = pagesOf(entries, PAGE_ENTRIES);
    return { places: append(pages.map(tablePage)), separators: separatorsOf(pages) };
  });
  const ids = pagesOf(
    forms.map(({ id }, number) => ({ id, number })).sort((a, b) => a.id - b.id),
    ID_PAGE,
  );
  const idPlaces = append(
    ids.map((page) =>
      sealed([...uvars(page.length), ...list(page.map(({ id }) => id)), ...list(page.map(({ number }) => number))]),
    ),
  );
  const directory = uvars(metrics.length);
  for (const { places, separators } of tables) {
    directory.push(...uvars(places.length), ...list(places.map(({ offset }) => offset)));
    directory.push(...list(places.map(({ length }) => length)));
    for (const key of separators) directory.push(...uvars(key.length), ...key);
  }
  directory.push(...uvars(ids.length), ...list(idPlaces.map(({ offset }) => offset)));
  directory.push(...list(idPlaces.map(({ length }) => length)));
  directory.push(...list(ids.map((page) => page[0]!.id)), ...list(ids.map((page) => page.at(-1)!.id)));
  const offset = bytes.length;
  return [...bytes, ...directory, ...fixed(offset, 8), ...fixed(directory.length, 4), ...checksum(directory)];
}

/** The metrics of a names file, by ascending id: read by the table of forms, and checked against the table of ids. */
export function decodeForms(bytes: Bytes): { form: Bytes; id: number; type: MetricType }[] {
  const tail = new Cursor(bytes.slice(-16));
  const [offset, length] = [Number(tail.fixed(8)), Number(tail.fixed(4))];
  const directory = bytes.slice(offset, offset + length);
  verify(directory, tail.take(4));
  const cursor = new Cursor(directory);
  const metrics = Number(readUvar(cursor));
  const entries: TableEntry[][] = [];
  for (let table = 0; table < 2; table++) {
    const n = Number(readUvar(cursor));
    const [offsets, lengths] = [readList(n, cursor), readList(n, cursor)];
    for (let i = 0; i < n; i++) cursor.take(Number(readUvar(cursor)));
    entries.push(offsets.flatMap((at, i) => readTablePage(bytes.slice(at, at + lengths[i]!))));
  }
  const n = Number(readUvar(cursor));
  const [offsets, lengths] = [readList(n, cursor), readList(n, cursor)];
  const byId = offsets.flatMap((at, i) => {
    const page = bytes.slice(at, at + lengths[i]!);
    verify(page.slice(0, -4), page.slice(-4));
    const content = new Cursor(page);
    const count = Number(readUvar(content));
    const [ids, numbers] = [readList(count, content), readList(count, content)];
    return ids.map((id, k) => ({ id, number: numbers[k]! }));
  });
  if (byId.length !== metrics) throw new Error(`${byId.length} ids of ${metrics} metrics`);
  return byId.map(({ id, number }) => {
    const [form, value] = entries[0]![number]!;
    if (String(value.slice(0, 4)) !== String(fixedBE(id, 4))) throw new Error(`id ${id} has another form`);
    return { form, id, type: TYPES[value[4]!]! };
  });
}

function readTablePage(page: Bytes): TableEntry[] {
  verify(page.slice(0, -4), page.slice(-4));
  const cursor = new Cursor(page);
  const entries: TableEntry[] = [];
  let before: number[] = [];
  for (let left = Number(readUvar(cursor)); left > 0; left--) {
    const [shared, rest, length] = [readUvar(cursor), readUvar(cursor), readUvar(cursor)].map(Number);
    const key = [...before.slice(0, shared), ...cursor.take(rest!)];
    entries.push([key, cursor.take(length!)]);
    before = key;
  }
  return entries;
}

/** A manifest: CRC and JSON. */
export function decodeManifest(bytes: Bytes): Record<string, unknown> {
  verify(bytes.slice(4), bytes.slice(0, 4));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes.slice(4)))) as Record<string, unknown>;
}
