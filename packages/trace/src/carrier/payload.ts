/**
 * A carrier as bytes, for MessagePack's extension. All numbers are big-endian; text is UTF-8.
 *
 *     01                    the version
 *     flags                 1 id, 2 trace, 4 tracestate, 8 values, 16 the id is a number
 *     trace id 16, span id 8, flags 1                 if 2
 *     id                    if 1: length 1 and text, or with 16 a float64
 *     tracestate            if 4: length 2 and text
 *     values                if 8: count 1, then each: key (length 1 and text), kind 1, value
 *                           kinds: 0 null, 1 false, 2 true, 3 float64, 4 length 2 and text
 */
import { type CarriedValue, checkCarrier, TraceCarrier } from "./check-carrier.js";
import { PayloadReader, PayloadWriter } from "./payload-bytes.js";
import { warnOfId, warnOfValue } from "./warnings.js";

const VERSION = 1;
const HAS_ID = 1;
const HAS_TRACE = 2;
const HAS_STATE = 4;
const HAS_VALUES = 8;
const IS_NUMBER = 16;
const ALL_FLAGS = HAS_ID | HAS_TRACE | HAS_STATE | HAS_VALUES | IS_NUMBER;

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const TEXT = 4;

/**
 * Returns a carrier as bytes, at most 4,096. An id or a value that does not fit, or breaks the rules for carriers, is left out, with a
 * process warning.
 */
export function encodeCarrier(carrier: TraceCarrier): Uint8Array {
  const { id, trace, tracestate, values } = checkCarrier(carrier);
  const writer = new PayloadWriter();
  let flags = 0;
  if (id !== undefined) flags |= typeof id === "number" ? HAS_ID | IS_NUMBER : HAS_ID;
  if (trace !== undefined) flags |= HAS_TRACE;
  if (tracestate !== undefined) flags |= HAS_STATE;
  if (values.length > 0) flags |= HAS_VALUES;
  writer.byte(VERSION);
  writer.byte(flags);
  if (trace !== undefined) {
    writer.hex(trace.traceId);
    writer.hex(trace.spanId);
    writer.byte(trace.flags);
  }
  if (typeof id === "number") writer.float64(id);
  else if (id !== undefined) writer.text(id, 1);
  if (tracestate !== undefined) writer.text(tracestate, 2);
  const written = values.length > 0 ? writeValues(writer, values) : new Set<string>();
  warnOfMissing(carrier, id, written);
  return writer.finish();
}

/** Writes the values that fit, and returns their keys. */
function writeValues(writer: PayloadWriter, values: readonly (readonly [string, CarriedValue])[]): Set<string> {
  const written = new Set<string>();
  const countAt = writer.length;
  writer.byte(0);
  for (const [key, value] of values) {
    const start = writer.length;
    if (writer.text(key, 1) && writeValue(writer, value)) written.add(key);
    else writer.length = start;
  }
  writer.setByte(countAt, written.size);
  return written;
}

/** Warns of an id or a value that is missing in the bytes. */
function warnOfMissing(carrier: TraceCarrier, id: unknown, written: ReadonlySet<string>): void {
  try {
    if (id === undefined && (carrier.id ?? undefined) !== undefined) warnOfId();
    if (Object.keys(carrier.values ?? {}).some((key) => !written.has(key)))
      warnOfValue("exceeds the limits of carriers, or the 4,096 bytes of all");
  } catch {
    // A getter or a proxy that throws: the whole carrier is empty.
  }
}

function writeValue(writer: PayloadWriter, value: CarriedValue): boolean {
  if (value === null) return writer.byte(NULL);
  if (typeof value === "boolean") return writer.byte(value ? TRUE : FALSE);
  if (typeof value === "number") return writer.byte(NUMBER) && writer.float64(value);
  return writer.byte(TEXT) && writer.text(value, 2);
}

/** Returns the carrier of bytes; an empty one if they are damaged, of another version, or longer than the carrier. */
export function decodeCarrier(bytes: Uint8Array): TraceCarrier {
  const reader = new PayloadReader(bytes);
  const carrier = readCarrier(reader);
  return carrier === undefined || !reader.isAtEnd ? new TraceCarrier() : carrier;
}

/** The caller drops the result if the bytes are damaged: then the reader is not at its end. */
function readCarrier(reader: PayloadReader): TraceCarrier | undefined {
  const version = reader.byte();
  const flags = reader.byte();
  if (version !== VERSION || (flags & ~ALL_FLAGS) !== 0) return undefined;
  if ((flags & IS_NUMBER) !== 0 && (flags & HAS_ID) === 0) return undefined;
  const traceparent = (flags & HAS_TRACE) === 0 ? undefined : readTrace(reader);
  let id: string | number | undefined;
  if ((flags & HAS_ID) !== 0) id = (flags & IS_NUMBER) === 0 ? reader.text(1) : reader.float64();
  const tracestate = (flags & HAS_STATE) === 0 ? undefined : reader.text(2);
  const values = (flags & HAS_VALUES) === 0 ? undefined : readValues(reader);
  return new TraceCarrier(id, traceparent, tracestate, values);
}

function readTrace(reader: PayloadReader): string {
  return `00-${reader.hex(16)}-${reader.hex(8)}-${reader.hex(1)}`;
}

function readValues(reader: PayloadReader): Record<string, CarriedValue> {
  const values: [string, CarriedValue][] = [];
  for (let left = reader.byte(); left > 0 && !reader.isDamaged; left--) {
    values.push([reader.text(1), readValue(reader)]);
  }
  return recordOf(values);
}

/** The largest array index. An object that has had a value there stores all values at indices in a dictionary. */
const LARGEST_INDEX = "4294967294";

/** Returns an object with foreign keys: without the largest index, V8 would store a value at "1023" in an array of 12 KB. */
function recordOf(values: readonly [string, CarriedValue][]): Record<string, CarriedValue> {
  const record = Object.fromEntries<CarriedValue>([[LARGEST_INDEX, null], ...values]);
  if (!values.some(([key]) => key === LARGEST_INDEX)) Reflect.deleteProperty(record, LARGEST_INDEX);
  return record;
}

function readValue(reader: PayloadReader): CarriedValue {
  const kind = reader.byte();
  if (kind === TRUE || kind === FALSE) return kind === TRUE;
  if (kind === NUMBER) return reader.float64();
  if (kind === TEXT) return reader.text(2);
  if (kind !== NULL) reader.damage();
  return null;
}
