/** Block files of version 2, from the format's page alone: written and read without any regard to speed. */
import { type Bytes, Cursor, fixed, utf8 } from "./bytes.ts";
import { checksum, verify } from "./checksum.ts";
import { decodeIntegers, encodeIntegers } from "./integers.ts";
import { decodeTimes, encodeTimes } from "./times.ts";
import { decodeValues, encodeValues, type Values } from "./values.ts";
import { readUvar, uvar } from "./varint.ts";

const WEEK = 604_800_000;

/** The points of one metric, by ascending time. */
export interface BlockMetric {
  readonly id: number;
  readonly times: readonly number[];
  readonly values: Values;
}

/** The facts in the footer, without the positions of pages. */
export interface BlockFacts {
  readonly level: number;
  readonly isWide: boolean;
  readonly generations: readonly [number, number];
  readonly summary?: SummaryFacts;
}

/** What the windows of a block of summaries are: milliseconds, and a bit for each role. */
export interface SummaryFacts {
  readonly window: number;
  readonly roles: number;
}

/** The metrics of a block of summaries: each role is a metric. */
export function roleMetrics(metrics: readonly BlockMetric[], { window, roles }: SummaryFacts): BlockMetric[] {
  return metrics.flatMap(({ id, times, values }) => {
    const starts = [...new Set(times.map((time) => time - (time % window)))];
    const rows = starts.map((start) => {
      const [from, to] = [
        times.findIndex((time) => time >= start),
        times.filter((time) => time < start + window).length,
      ];
      return { count: to - from, ...summary(slice(values, from, to)) };
    });
    const names = ["count", "nans", "sum", "rest", "min", "max", "first", "last"] as const;
    return names.flatMap((name, role): BlockMetric[] => {
      if (((roles >> role) & 1) === 0) return [];
      const list = rows.map((row) => row[name]);
      const isInt64 = role >= 4 && "int64s" in values;
      return [
        {
          id: 8 * id + role,
          times: starts,
          values: isInt64 ? { int64s: list as bigint[] } : { floats: list as number[] },
        },
      ];
    });
  });
}

const sealed = (bytes: Bytes): number[] => [...bytes, ...checksum(bytes)];

function list(integers: readonly number[]): number[] {
  if (integers.length === 0) return [];
  const { codec, bytes } = encodeIntegers(integers.map(BigInt));
  return [codec, ...bytes];
}

function readList(count: number, cursor: Cursor): number[] {
  return count === 0 ? [] : decodeIntegers(cursor.u8(), count, cursor).map(Number);
}

interface Column {
  readonly week: number;
  readonly offset: number;
  readonly length: number;
  readonly times: readonly number[];
}

interface Chunk {
  readonly offset: number;
  readonly length: number;
  readonly column: Column;
}

interface Entry {
  readonly metric: BlockMetric;
  readonly chunks: readonly Chunk[];
}

const slice = (values: Values, from: number, to: number): Values =>
  "floats" in values ? { floats: values.floats.slice(from, to) } : { int64s: values.int64s.slice(from, to) };

/** The ends of chunks: 512 points, or the end of a week. */
function chunkEnds(times: readonly number[]): number[] {
  const ends: number[] = [];
  let start = 0;
  times.forEach((time, i) => {
    const next = times[i + 1];
    const isEnd = next === undefined || i + 1 - start === 512 || Math.floor(next / WEEK) !== Math.floor(time / WEEK);
    if (!isEnd) return;
    ends.push(i + 1);
    start = i + 1;
  });
  return ends;
}

/** The sum of numbers in two parts (Neumaier). */
function sumOf(numbers: readonly number[]): readonly [sum: number, rest: number] {
  let sum = 0;
  let rest = 0;
  for (const number of numbers) {
    const next = sum + number;
    const added = next - sum;
    rest += sum - (next - added) + (number - added);
    sum = next;
  }
  return [sum, rest];
}

function summary(values: Values) {
  if ("int64s" in values) {
    const all = values.int64s;
    const min = all.reduce((a, b) => (b < a ? b : a));
    const max = all.reduce((a, b) => (b > a ? b : a));
    const [sum, rest] = sumOf(all.map(Number));
    return { nans: 0, min, max, first: all[0]!, last: all.at(-1)!, sum, rest };
  }
  const all = values.floats;
  const numbers = all.filter((value) => !Number.isNaN(value));
  const min = numbers.reduce((a, b) => (b < a ? b : a), numbers[0] ?? Number.NaN);
  const max = numbers.reduce((a, b) => (b > a ? b : a), numbers[0] ?? Number.NaN);
  const [sum, rest] = sumOf(numbers);
  return { nans: all.length - numbers.length, min, max, first: all[0]!, last: all.at(-1)!, sum, rest };
}

function indexPage(entries: readonly Entry[]): number[] {
  const isInt64 = "int64s" in entries[0]!.metric.values;
  const chunks = entries.flatMap((entry) => entry.chunks);
  const columns = [...new Set(chunks.map(({ column }) => column))];
  const summaries = entries.map(({ metric }) => summary(metric.values));
  const exact = (key: "min" | "max" | "first" | "last") => {
    const values = summaries.map((one) => one[key]);
    return encodeValues(isInt64 ? { int64s: values as bigint[] } : { floats: values as number[] });
  };
  const gaps = chunks.slice(1).map((chunk, i) => chunk.offset - chunks[i]!.offset - chunks[i]!.length - 4);
  const body = [
    isInt64 ? 1 : 0,
    ...uvar(entries.length),
    ...uvar(columns.length),
    ...list(entries.map(({ metric }) => metric.id)),
    ...list(entries.map((entry) => entry.chunks.length)),
    ...uvar(chunks[0]!.offset),
    ...list(gaps),
    ...list(chunks.map(({ length }) => length)),
    ...list(chunks.map(({ column }) => columns.indexOf(column))),
    ...list(columns.map(({ week }) => week)),
    ...list(columns.map(({ offset }) => offset)),
    ...list(columns.map(({ length }) => length)),
    ...list(columns.map(({ times }) => times.length)),
    ...list(columns.map(({ times }) => times[0]!)),
    ...list(columns.map(({ times }) => times.at(-1)!)),
    ...list(summaries.map(({ nans }) => nans)),
    ...exact("min"),
    ...exact("max"),
    ...exact("first"),
    ...exact("last"),
    ...encodeValues({ floats: summaries.map(({ sum }) => sum) }),
    ...encodeValues({ floats: summaries.map(({ rest }) => rest) }),
  ];
  return sealed([...utf8("mipg"), ...fixed(body.length, 4), ...body]);
}

/** Writes a block. Metrics come by ascending id. */
export function encodeBlock(file: number, metrics: readonly BlockMetric[], facts: BlockFacts): number[] {
  const bytes = [...utf8("moonblk1"), ...fixed(2, 4), ...fixed(file, 4)];
  const known = new Map<string, Column>();
  const groups: Entry[][] = [];
  const open = { floats: [] as Entry[], int64s: [] as Entry[] };
  for (const metric of metrics) {
    const type = "floats" in metric.values ? "floats" : "int64s";
    if (open[type].length === 256) {
      groups.push(open[type]);
      open[type] = [];
    }
    const chunks: Chunk[] = [];
    let start = 0;
    for (const end of chunkEnds(metric.times)) {
      const week = Math.floor(metric.times[start]! / WEEK);
      const times = metric.times.slice(start, end).map((time) => time - week * WEEK);
      const key = `${week}:${times}`;
      let column = known.get(key);
      if (column === undefined) {
        const encoded = encodeTimes(times);
        column = { week, offset: bytes.length, length: encoded.length, times };
        known.set(key, column);
        bytes.push(...sealed(encoded));
      }
      const block = encodeValues(slice(metric.values, start, end));
      chunks.push({ offset: bytes.length, length: block.length, column });
      bytes.push(...sealed(block));
      start = end;
    }
    open[type].push({ metric, chunks });
  }
  groups.push(...[open.floats, open.int64s].filter((group) => group.length > 0));
  const pages = groups.map((group) => {
    const page = indexPage(group);
    const place = { group, offset: bytes.length, length: page.length };
    bytes.push(...page);
    return place;
  });
  const times = metrics.flatMap((metric) => [metric.times[0]!, metric.times.at(-1)!]);
  const points = metrics.reduce((sum, metric) => sum + metric.times.length, 0);
  const { summary: windows } = facts;
  const kind = (facts.isWide ? 1 : 0) + (windows === undefined ? 0 : 2);
  const ofWindows = windows === undefined ? [] : [windows.window, windows.roles];
  const numbers = [facts.level, kind, ...ofWindows, Math.min(...times), Math.max(...times), points];
  const footer = [
    ...[...numbers, ...facts.generations, pages.length].flatMap((number) => uvar(number)),
    ...list(pages.map(({ group }) => ("int64s" in group[0]!.metric.values ? 1 : 0))),
    ...list(pages.map(({ group }) => group[0]!.metric.id)),
    ...list(pages.map(({ group }) => group.at(-1)!.metric.id)),
    ...list(pages.map(({ offset }) => offset)),
    ...list(pages.map(({ length }) => length)),
  ];
  return [...bytes, ...footer, ...fixed(bytes.length, 8), ...fixed(footer.length, 4), ...checksum(footer)];
}

/** Reads all points of a block, and checks every checksum. */
export function decodeBlock(bytes: Bytes): BlockMetric[] {
  const tail = new Cursor(bytes.slice(-16));
  const offset = Number(tail.fixed(8));
  const length = Number(tail.fixed(4));
  const footer = bytes.slice(offset, offset + length);
  verify(footer, bytes.slice(-4));
  const cursor = new Cursor(footer);
  readUvar(cursor);
  const kind = Number(readUvar(cursor));
  const numbers = Array.from({ length: kind >= 2 ? 8 : 6 }, () => Number(readUvar(cursor)));
  const count = numbers.at(-1)!;
  const [, , , offsets, lengths] = Array.from({ length: 5 }, () => readList(count, cursor));
  const metrics = offsets!.flatMap((at, i) => decodePage(bytes, at, lengths![i]!));
  return metrics.sort((a, b) => a.id - b.id);
}

function unsealed(bytes: Bytes, offset: number, length: number): Cursor {
  verify(bytes.slice(offset, offset + length), bytes.slice(offset + length, offset + length + 4));
  return new Cursor(bytes.slice(offset, offset + length));
}

function decodePage(bytes: Bytes, at: number, size: number): BlockMetric[] {
  const cursor = unsealed(bytes, at, size - 4);
  if (String(cursor.take(4)) !== String(utf8("mipg"))) throw new Error("not an index page");
  cursor.take(4 + 1);
  const n = Number(readUvar(cursor));
  const c = Number(readUvar(cursor));
  const ids = readList(n, cursor);
  const counts = readList(n, cursor);
  const k = counts.reduce((sum, count) => sum + count, 0);
  const first = Number(readUvar(cursor));
  const [gaps, lengths, columnOf] = [readList(k - 1, cursor), readList(k, cursor), readList(k, cursor)];
  const columns = Array.from({ length: 6 }, () => readList(c, cursor));
  const [weeks, columnOffsets, columnLengths, sizes] = columns as [number[], number[], number[], number[]];
  const offsets = [first];
  gaps.forEach((gap, i) => {
    offsets.push(offsets[i]! + lengths[i]! + 4 + gap);
  });
  let chunk = 0;
  return ids.map((id, i) => {
    const times: number[] = [];
    const parts: Values[] = [];
    for (const end = chunk + counts[i]!; chunk < end; chunk++) {
      const column = columnOf[chunk]!;
      const inWeek = decodeTimes(unsealed(bytes, columnOffsets[column]!, columnLengths[column]!));
      times.push(...inWeek.map((time) => weeks[column]! * WEEK + time));
      parts.push(decodeValues(sizes[column]!, unsealed(bytes, offsets[chunk]!, lengths[chunk]!)));
    }
    const floats = parts.flatMap((part) => ("floats" in part ? part.floats : []));
    const int64s = parts.flatMap((part) => ("int64s" in part ? part.int64s : []));
    return { id, times, values: int64s.length > 0 ? { int64s } : { floats } };
  });
}
