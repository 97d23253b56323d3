import { allocate } from "./buffer.js";
import { DecodeError, invalidArgument, MoonpackError } from "./errors.js";
import { type BytesInput, lengthOf, toBytes, truncated } from "./input.js";
import { DEFAULT_MAX_FRAME_BYTES } from "./limits.js";
import { optionsObject, readOptions } from "./options.js";
import { ByteReader } from "./reader.js";
import { refuseUnknown } from "./unknown-options.js";
import { putUvar32, uvar32Size } from "./varint.js";
import type { ByteWriter } from "./writer.js";

/** The form of a frame's length: LEB128 (as Protobuf's delimited messages and PCK), or four bytes in either order. */
export type FramePrefix = "uvar" | "u32le" | "u32be";

/** The options of the functions for frames. */
export interface FrameOptions {
  /** The form of the length. Default "uvar". */
  readonly prefix?: FramePrefix;
  /** The most bytes that a frame may have, checked before its payload is read or buffered. Default 64 MiB. */
  readonly maxFrameBytes?: number;
}

/** The place of a frame: its payload is `bytes[start..end)`, and the next frame begins at `end`. */
export interface Frame {
  /** Where the payload begins. */
  readonly start: number;
  /** Where the payload ends. */
  readonly end: number;
}

/**
 * Appends a frame to a writer: the payload's length, then the payload. Above the limit it writes nothing and throws
 * `ERR_FRAME_TOO_LARGE`. Throws `ERR_INVALID_ARGUMENT` for a writer that is not a {@link ByteWriter}.
 *
 * @example
 * for (const record of records) writeFrame(writer, record, { prefix: "u32be" });
 */
export function writeFrame(writer: ByteWriter, payload: BytesInput, options?: FrameOptions): void {
  // The class is not tested: the writer may be of another copy of this package.
  if (typeof (writer as Partial<ByteWriter> | null | undefined)?.reserve !== "function")
    throw invalidArgument("writer must be a ByteWriter");
  appendFrame(writer, toBytes(payload), frameSettings(options, []));
}

/** Works like {@link writeFrame}, with checked options. */
export function appendFrame(writer: ByteWriter, bytes: Uint8Array, settings: Required<FrameOptions>): void {
  const { prefix, maxFrameBytes } = settings;
  const n = lengthOf(bytes);
  checkPayload(n, maxFrameBytes);
  const start = writer.pos;
  try {
    writer.reserve(n + 5);
    if (prefix === "uvar") writer.uvar32(n);
    else writer.u32(n, prefix === "u32le");
    writer.raw(bytes);
  } catch (error) {
    writer.pos = start; // no length without its payload
    throw error;
  }
}

/**
 * Returns a frame in new memory: the payload's length, then the payload. Throws `ERR_FRAME_TOO_LARGE` above the limit.
 *
 * @example
 * encodeFrame(new Uint8Array([7, 8])); // 02 07 08
 */
export function encodeFrame(payload: BytesInput, options?: FrameOptions): Uint8Array<ArrayBuffer> {
  return frameOf(payload, frameSettings(options, []));
}

/** As {@link encodeFrame}, with checked options. */
export function frameOf(payload: BytesInput, settings: Required<FrameOptions>): Uint8Array<ArrayBuffer> {
  const { prefix, maxFrameBytes } = settings;
  const bytes = toBytes(payload);
  const n = lengthOf(bytes);
  checkPayload(n, maxFrameBytes);
  const header = prefix === "uvar" ? uvar32Size(n) : 4;
  const frame = allocate(header + n);
  if (prefix === "uvar") putUvar32(frame, 0, n);
  else new DataView(frame.buffer).setUint32(0, n, prefix === "u32le");
  frame.set(bytes, header);
  return frame;
}

function checkPayload(n: number, maxFrameBytes: number): void {
  if (n > maxFrameBytes) throw new MoonpackError("ERR_FRAME_TOO_LARGE", tooLarge(n, maxFrameBytes));
}

/**
 * Finds the frame at `offset`, without reading its payload. Throws `ERR_FRAME_TOO_LARGE` for a length above the limit, `ERR_TRUNCATED`
 * with `needMore` when the bytes end inside the prefix or the payload, and the errors of a varint. The `offset` of each error is the
 * frame's first byte.
 *
 * @example
 * const { start, end } = readFrame(bytes, 0);
 * const payload = bytes.subarray(start, end);
 */
export function readFrame(input: BytesInput, offset = 0, options?: FrameOptions): Frame {
  return frameAt(toBytes(input), offset, frameSettings(options, []));
}

/** As {@link readFrame}, with checked options. */
function frameAt(bytes: Uint8Array<ArrayBuffer>, offset: number, settings: Required<FrameOptions>): Frame {
  const { prefix, maxFrameBytes } = settings;
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length)
    throw invalidArgument("offset must be a position in the input");
  const reader = new ByteReader(bytes, offset);
  if (prefix !== "uvar") reader.need(4);
  const n = prefix === "uvar" ? reader.uvar32() : reader.u32(prefix === "u32le");
  if (n > maxFrameBytes) throw frameTooLarge(n, maxFrameBytes, offset);
  const end = reader.pos + n;
  if (end > bytes.length) throw truncated(offset, end - bytes.length);
  return { start: reader.pos, end };
}

function tooLarge(n: number, maxFrameBytes: number): string {
  return `a frame of ${n} bytes, more than maxFrameBytes (${maxFrameBytes})`;
}

/** Returns the error for a frame at `offset` that declares too many bytes. */
export function frameTooLarge(n: number, maxFrameBytes: number, offset: number): DecodeError {
  return new DecodeError("ERR_FRAME_TOO_LARGE", tooLarge(n, maxFrameBytes), offset);
}

/**
 * Yields all frames of the input in order, each as a view of its payload. Errors as in {@link readFrame}; the frames before the invalid
 * one come first.
 *
 * @example
 * for (const payload of readFrames(file)) handle(payload);
 */
export function readFrames(input: BytesInput, options?: FrameOptions): Generator<Uint8Array, void, undefined> {
  // Outside the generator, which starts at the first `next`: input and options are checked at the call.
  return framesOf(toBytes(input), frameSettings(options, []));
}

function* framesOf(
  bytes: Uint8Array<ArrayBuffer>,
  settings: Required<FrameOptions>,
): Generator<Uint8Array, void, undefined> {
  const size = bytes.length;
  for (let offset = 0; offset < size; ) {
    if (bytes.length !== size) throw invalidArgument("the input was detached between two frames");
    const { start, end } = frameAt(bytes, offset, settings);
    yield bytes.subarray(start, end);
    offset = end;
  }
}

const FRAME_RULES = {
  prefix: ["uvar", "u32le", "u32be"],
  maxFrameBytes: [DEFAULT_MAX_FRAME_BYTES, 0, 0xffffffff],
} as const;

/**
 * Checks the options for frames and adds the defaults. `more`: names that the caller reads itself. If it is given, any other name
 * is refused.
 */
export function frameSettings(options: FrameOptions | undefined, more?: readonly string[]): Required<FrameOptions> {
  if (more !== undefined) refuseUnknown(optionsObject(options), [...Object.keys(FRAME_RULES), ...more]);
  return readOptions(FRAME_RULES, options) as unknown as Required<FrameOptions>;
}
