/**
 * The unsynced end of the log in memory, in segments. A segment is written to one file. It is kept until it is synced, because a failed
 * sync may lose written data; then its memory is reused.
 */
import { ByteWriter } from "moonpack/bytes";
import type { MetricType } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";
import { HEAD_BYTES } from "./log-files.js";
import { HEADER, MAX_POINTS, padded, pointsSize } from "./record-format.js";
import { RecordWriter, valueKind } from "./record-writer.js";

/** Bytes of a segment. A record that does not fit starts a new segment. */
const SEGMENT_BYTES = 2 ** 20;
/** Bytes of finished segments that are kept for reuse. */
const SPARE_BYTES = 4 * 2 ** 20;
/** Maximum bytes of records before a new file starts: recovery reads whole files into memory. */
const FILE_BYTES = 64 * 2 ** 20;

/** A part of a file. */
export class Segment {
  readonly out: ByteWriter;
  /** The number of its file. */
  file: number;
  /** The position of its first byte in the file. */
  start: number;
  /** Number of its bytes that are written to the file. */
  written = 0;

  constructor(out: ByteWriter, file: number, start: number) {
    this.out = out;
    this.file = file;
    this.start = start;
  }

  /** The position in the file after its last byte. */
  get end(): number {
    return this.start + this.out.pos;
  }
}

/** A segment with bytes to write, up to `to`, or one that starts a file. */
export interface Unwritten {
  readonly segment: Segment;
  readonly to: number;
}

/** Collects records, and returns their bytes for writing. */
export class LogBuffer {
  readonly #records: RecordWriter;
  /** Segments, the oldest first. New records are appended to the last one. */
  readonly #segments: Segment[];
  readonly #spare: ByteWriter[] = [];
  #spareBytes = 0;
  #last: Segment;
  /** Bytes of records in the last file, without `synced` records. */
  #fileBytes = 0;
  #unwritten = 0;

  constructor(file: number, nextRecord: number) {
    this.#last = new Segment(new ByteWriter(), file, HEAD_BYTES);
    this.#segments = [this.#last];
    this.#records = new RecordWriter(this.#last.out, nextRecord);
  }

  /** The file of the next record, or the file before it if that is full. */
  get file(): number {
    return this.#last.file;
  }

  /** The number of the last record. */
  get lastRecord(): number {
    return (this.#records.next - 1) >>> 0;
  }

  /** Number of unwritten bytes. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** The unsynced segments, the oldest first. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  define(id: number, type: MetricType, canonical: Uint8Array): void {
    this.#nextCall();
    const start = this.#prepare(HEADER + 8 + padded(canonical.length));
    this.#records.define(id, type, canonical);
    this.#appended(start);
  }

  /**
   * Appends points, in one file, but perhaps in several records. `ids` is a list, or the first of consecutive ids; `times` is a list, or
   * the time of all points. The first value is at `from` in `values`, the first id and time at `listFrom` in their lists.
   */
  points(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    from: number,
    areInt64: boolean,
    listFrom: number,
  ): void {
    this.#nextCall();
    const hasIds = typeof ids === "number" ? 0 : 1;
    const hasTimes = typeof times === "number" ? 0 : 1;
    for (let done = 0; done < n; done += MAX_POINTS) {
      const count = Math.min(n - done, MAX_POINTS);
      const kind = valueKind(values, from + done, count, areInt64);
      const start = this.#prepare(HEADER + padded(pointsSize(count, hasTimes, hasIds, kind)));
      const first = typeof ids === "number" ? ids + done : ids;
      this.#records.points(count, first, times, values, kind, from + done, listFrom + done);
      this.#appended(start);
    }
  }

  delete(id: number, from: number, to: number): void {
    this.#nextCall();
    const start = this.#prepare(HEADER + 24);
    this.#records.delete(id, from, to);
    this.#appended(start);
  }

  forget(id: number): void {
    this.#nextCall();
    const start = this.#prepare(HEADER + 8);
    this.#records.forget(id);
    this.#appended(start);
  }

  /** Appends a record which states that all records up to this number are synced. */
  synced(number: number): void {
    const start = this.#prepare(HEADER + 8);
    this.#records.synced(number);
    this.#unwritten += this.#last.out.pos - start;
  }

  /** Starts a new file for later records. Returns false if the last file has no records yet: it is used. */
  cut(): boolean {
    if (this.#fileBytes === 0) return false;
    this.#fileBytes = 0;
    if (this.#last.out.pos === 0) {
      this.#last.file++;
      this.#last.start = HEAD_BYTES;
    } else this.#add(this.#last.file + 1, HEAD_BYTES);
    return true;
  }

  /** Returns the unwritten segments in order, if `file` is the current file. */
  unwrittenParts(file: number): Unwritten[] {
    return this.#segments
      .filter((segment) => segment.written < segment.out.pos || segment.file > file)
      .map((segment) => ({ segment, to: segment.out.pos }));
  }

  /** Marks a segment as written up to `to`. */
  wrote(segment: Segment, to: number): void {
    this.#unwritten -= to - segment.written;
    segment.written = to;
  }

  /** Frees synced segments: of files before `file`, and of `file` up to the position `synced`. */
  release(file: number, synced: number): void {
    const isDone = (segment: Segment) => segment.file < file || (segment.file === file && segment.end <= synced);
    while (this.#segments.length > 1 && isDone(this.#segments[0]!)) this.#keep(this.#segments.shift()!.out);
    const last = this.#last;
    if (last.out.pos === 0 || !isDone(last)) return;
    last.start = last.end;
    last.written = 0;
    last.out.reset();
  }

  /** Chooses the file for all records of a call. */
  #nextCall(): void {
    if (this.#fileBytes >= FILE_BYTES) this.cut();
  }

  /** Finds a segment for a record of at most `size` bytes. Returns the record's start in it. */
  #prepare(size: number): number {
    const last = this.#last;
    const { pos } = last.out;
    if (pos === 0 || pos + size <= SEGMENT_BYTES) return pos;
    this.#add(last.file, last.end);
    return 0;
  }

  #appended(start: number): void {
    const size = this.#last.out.pos - start;
    this.#fileBytes += size;
    this.#unwritten += size;
  }

  #add(file: number, start: number): void {
    let out = this.#spare.pop();
    if (out === undefined) out = new ByteWriter(SEGMENT_BYTES);
    else this.#spareBytes -= out.bytes.length;
    this.#last = new Segment(out, file, start);
    this.#segments.push(this.#last);
    this.#records.out = out;
  }

  #keep(out: ByteWriter): void {
    const size = out.bytes.length;
    if (this.#spareBytes + size > SPARE_BYTES) return;
    out.pos = 0;
    this.#spare.push(out);
    this.#spareBytes += size;
  }
}
