import { type Diagnosis, diagnose, Extensions } from "moonpack";
import { DecodeError, shifted } from "moonpack/bytes";
import { StreamDecoder } from "moonpack/stream";
import { containerHeader, headerOf, LONGEST_HEADER, type MsgpackHeader } from "../convert/msgpack-header.js";
import { badInput } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";

/** Bytes that can be dumped now, and their items. They are valid until the next part is requested. */
export interface Part {
  readonly bytes: Uint8Array;
  /** Offset of the bytes in the input. */
  readonly position: number;
  /** Size of the whole input, once it is known. */
  readonly total: number | undefined;
  readonly items: Iterable<Diagnosis>;
}

/** A value from a pipe is decoded to find its end. From this size on the rest is read in one part, as from a file. */
const MAX_DECODED = 16 * 1024 * 1024;
/** More than the bytes of any string whose length has fewer than 32 bits. */
const SMALL_ITEM = 128 * 1024;

const LENIENT = {
  utf8: "replace",
  timestamps: "timestamp",
  unknownExtensions: "keep",
  maxBufferedBytes: Infinity,
} as const;
/** The errors that end a dump. For others, such as an invalid timestamp, it shows the item and continues. */
const BREAKS = new Set<string | undefined>(["ERR_INVALID_BYTE", "ERR_LIMIT_DEPTH", "ERR_TRAILING_BYTES"]);

/**
 * Returns the items of an input, part by part. A file is one part. A pipe has several, and is read no further than its first
 * error: complete messages of a sequence, or the elements of one array or map.
 */
export async function* partsOf(window: ByteWindow, sequence: boolean): AsyncGenerator<Part, void, undefined> {
  if (window.total !== undefined) await window.reachEnd();
  await window.reach(sequence ? 1 : LONGEST_HEADER);
  if (window.size === 0 && !sequence) throw badInput("ERR_TRUNCATED", "the input is empty", 0, 1);
  if (sequence && !window.ended) return yield* pipeParts(window, undefined);
  if (!window.ended) {
    const header = headerOf(window.view());
    if (header.kind !== undefined) return yield* pipeParts(window, header);
    await window.reach(header.length + header.count + SMALL_ITEM);
  }
  const bytes = window.view();
  yield { bytes, position: 0, total: window.ended ? bytes.length : undefined, items: diagnose(bytes, { sequence }) };
}

/** Yields the parts of a sequence, or of the array or map with this header. */
async function* pipeParts(
  window: ByteWindow,
  header: MsgpackHeader | undefined,
): AsyncGenerator<Part, void, undefined> {
  const decoder = new StreamDecoder(
    { ...LENIENT, extensions: new Extensions() },
    header === undefined ? "messages" : "items",
  );
  decoder.push(window.view());
  if (header !== undefined) {
    const bytes = window.view().subarray(0, header.length);
    yield { bytes, position: 0, total: undefined, items: [...diagnose(bytes)].slice(0, 1) };
    window.consume(header.length);
  }
  let given = 0;
  for (;;) {
    const { count, end, error } = readThrough(decoder);
    if (count > 0) {
      yield partOf(window, end - window.position, header, given, count);
      window.consume(end - window.position);
      given += count;
    }
    const { size } = window;
    if (error !== undefined || size > MAX_DECODED) {
      if (!BREAKS.has(error?.code)) await window.reachEnd();
      break;
    }
    if (!(await window.more())) break;
    decoder.push(window.view().subarray(size));
  }
  const missing = header === undefined ? 0 : header.count - given;
  if (window.size > 0 || missing > 0) yield partOf(window, window.size, header, given, missing);
}

/** Reads the decoded values. Returns their count, the end of the last one, and the error that stopped the decoder. */
function readThrough(decoder: StreamDecoder): { count: number; end: number; error?: DecodeError } {
  let count = 0;
  let end = 0;
  try {
    for (const _ of decoder) {
      count++;
      end = decoder.offset;
    }
  } catch (error) {
    if (error instanceof DecodeError) return { count, end, error };
    throw error;
  }
  return { count, end };
}

/** Returns a part at the window's start: values of a sequence, or elements that follow `header`, after `given` earlier ones. */
function partOf(
  window: ByteWindow,
  size: number,
  header: MsgpackHeader | undefined,
  given: number,
  count: number,
): Part {
  const { position } = window;
  const bytes = window.view().subarray(0, size);
  const kind = header?.kind;
  const before = kind === undefined ? new Uint8Array(0) : containerHeader(kind, count);
  const all = diagnose(Buffer.concat([before, bytes]), { sequence: kind === undefined });
  if (kind !== undefined) all.next();
  return { bytes, position, total: undefined, items: moved(all, position - before.length, kind === "map" ? 0 : given) };
}

/** Moves items to their place in the whole input: `by` bytes and `given` messages or elements precede them. */
function* moved(items: Iterable<Diagnosis>, by: number, given: number): Generator<Diagnosis, void, undefined> {
  for (const item of items) {
    const { offset, end, depth, role, format, error } = item;
    const path = given === 0 || item.path === "$" ? item.path : laterPath(item.path, given);
    const place = { offset: offset + by, depth, path, role, end: end + by, format, meaning: item.meaning };
    if (error === undefined) yield place;
    else {
      const later = shifted(error, by);
      yield { ...place, meaning: format === "broken" ? later.message : item.meaning, error: later };
    }
  }
}

/** Adds `given` to the first index: `$[3].a` becomes `$[17].a`. */
function laterPath(path: string, given: number): string {
  const close = path.indexOf("]");
  return `$[${given + Number(path.slice(2, close))}${path.slice(close)}`;
}
