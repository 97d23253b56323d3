import { allocate } from "./buffer.js";
import { DecodeError, invalidArgument, MoonpackError } from "./errors.js";
import { type BytesInput, toBytes, truncated } from "./input.js";
import { DEFAULT_MAX_FRAME_BYTES } from "./limits.js";
import { readOptions } from "./options.js";
import { ByteReader } from "./reader.js";
import { putUvar32, uvar32Size } from "./varint.js";
import type { ByteWriter } from "./writer.js";

/** How a frame's length is written: LEB128 (Protobuf's delimited messages, PCK), or four bytes of either order. */
export type FramePrefix = "uvar" | "u32le" | "u32be";

/** Options of the framing functions. */
export interface FrameOptions {
  /** Default "uvar". */
  readonly prefix?: FramePrefix;
  /** Bytes that a frame may have; checked before anything is read or kept. Default 64 MiB. */
  readonly maxFrameBytes?: number;
}

/** Where the next frame lies: its payload is `bytes[start..end)`, and the next frame begins at `end`. */
export interface Frame {
  readonly start: number;
  readonly end: number;
}

/** Appends `payload` with its length in front. `ERR_FRAME_TOO_LARGE` above the limit; nothing is written then. */
export function writeFrame(writer: ByteWriter, payload: BytesInput, options?: FrameOptions): void {
  appendFrame(writer, toBytes(payload), frameSettings(options));
}

/** The same with options that have been checked. */
export function appendFrame(writer: ByteWriter, bytes: Uint8Array, settings: Required<FrameOptions>): void {
  const { prefix, maxFrameBytes } = settings;
  const n = bytes.length;
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
 * `payload` with its length in front, in memory of its own. `ERR_FRAME_TOO_LARGE` above the limit.
 *
 * @example
 * encodeFrame(new Uint8Array([7, 8])); // 02 07 08
 */
export function encodeFrame(payload: BytesInput, options?: FrameOptions): Uint8Array<ArrayBuffer> {
  return frameOf(payload, frameSettings(options));
}

/** The same with options that have been checked. */
export function frameOf(payload: BytesInput, settings: Required<FrameOptions>): Uint8Array<ArrayBuffer> {
  const { prefix, maxFrameBytes } = settings;
  const bytes = toBytes(payload);
  const n = bytes.length;
  checkPayload(n, maxFrameBytes);
  const header = prefix === "uvar" ? uvar32Size(n) : 4;
  const frame = allocate(header + n);
  if (prefix === "uvar") putUvar32(frame, 0, n);
  else new DataView(frame.buffer).setUint32(0, n, prefix === "u32le");
  frame.set(bytes, header);
  return frame;
}

function checkPayload(n: number, maxFrameBytes: number): void {
  if (n > maxFrameBytes)
    throw new MoonpackError("ERR_FRAME_TOO_LARGE", `a frame of ${n} bytes, ${maxFrameBytes} allowed`);
}

/**
 * Finds the frame that begins at `offset`; reads no payload.
 * `ERR_TRUNCATED` with `needMore` when the bytes end inside the prefix or the payload, `ERR_FRAME_TOO_LARGE` (before
 * that) for a length above the limit, and a varint's errors; all at the frame's first byte.
 */
export function readFrame(input: BytesInput, offset = 0, options?: FrameOptions): Frame {
  const { prefix, maxFrameBytes } = frameSettings(options);
  const bytes = toBytes(input);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length)
    throw invalidArgument("offset must lie inside the bytes");
  const reader = new ByteReader(bytes, offset);
  if (prefix !== "uvar") reader.need(4);
  const n = prefix === "uvar" ? reader.uvar32() : reader.u32(prefix === "u32le");
  if (n > maxFrameBytes) throw frameTooLarge(n, maxFrameBytes, offset);
  const end = reader.pos + n;
  if (end > bytes.length) throw truncated(offset, end - bytes.length);
  return { start: reader.pos, end };
}

/** A frame at `offset` that declares more than it may. */
export function frameTooLarge(n: number, maxFrameBytes: number, offset: number): DecodeError {
  return new DecodeError("ERR_FRAME_TOO_LARGE", `a frame of ${n} bytes, ${maxFrameBytes} allowed`, offset);
}

/** All frames of `bytes`, in order, as views. Errors as {@link readFrame}. */
export function* readFrames(input: BytesInput, options?: FrameOptions): Generator<Uint8Array, void, undefined> {
  const bytes = toBytes(input); // once: shared memory is copied
  for (let offset = 0; offset < bytes.length; ) {
    const { start, end } = readFrame(bytes, offset, options);
    yield bytes.subarray(start, end);
    offset = end;
  }
}

const FRAME_RULES = {
  prefix: ["uvar", "u32le", "u32be"],
  maxFrameBytes: [DEFAULT_MAX_FRAME_BYTES, 0, 0xffffffff],
} as const;

/** The options of framing, checked and complete. */
export function frameSettings(options: FrameOptions | undefined): Required<FrameOptions> {
  return readOptions(FRAME_RULES, options) as unknown as Required<FrameOptions>;
}
