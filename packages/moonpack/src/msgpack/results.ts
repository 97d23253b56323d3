/**
 * The four ways to encode a message, which differ in the owner of the result's memory. They are functions over one state, so
 * that a bundle contains only the used ones.
 */
import { createWriter } from "#runtime";
import { invalidArgument, MoonpackError } from "../bytes/errors.js";
import { copyOwned, Slab } from "../bytes/slab.js";
import type { BaseWriter } from "./write/base.js";
import type { EncoderSettings } from "./write/settings.js";

/** Up to this size a loop is faster than `set`, which takes a view of the source. */
const LOOP_BYTES = 32;

/** The state of one encoder. */
export class EncoderState {
  readonly settings: EncoderSettings;
  readonly create: (settings: EncoderSettings) => BaseWriter;
  readonly writer: BaseWriter;
  /** The slab whose slices are results of `encode`. */
  slab: Slab | null = null;
  /** True while a message is being written. */
  isBusy = false;
  /** The state for calls by user code while this one is busy: the same options, separate memory. */
  nested: EncoderState | null = null;
  /** Messages encoded without error, and their bytes. */
  messages = 0;
  bytes = 0;

  /** `create`: makes its writer. */
  constructor(settings: EncoderSettings, create: (settings: EncoderSettings) => BaseWriter = createWriter) {
    this.settings = settings;
    this.create = create;
    this.writer = create(settings);
  }
}

/** The state itself, or the first nested one that is not busy. */
function idle(state: EncoderState): EncoderState {
  while (state.isBusy) state = state.nested ??= new EncoderState(state.settings, state.create);
  return state;
}

/** Writes a message with an idle state: into `slab` if there is one and the message fits. */
function write(state: EncoderState, value: unknown, slab: Slab | null): BaseWriter {
  const { writer } = state;
  state.isBusy = true;
  try {
    writer.message(value, slab);
  } finally {
    state.isBusy = false;
  }
  state.messages++;
  state.bytes += writer.pos - writer.start;
  return writer;
}

/** A slice of the slab, or a copy if that is faster; see `Encoder.encode`. */
export function encodeToSlab(state: EncoderState, value: unknown): Uint8Array<ArrayBuffer> {
  state = idle(state);
  const slab = (state.slab ??= new Slab());
  const writer = write(state, value, slab);
  const { bytes, start, pos } = writer;
  if (writer.inTarget) return slab.cut(pos);
  const result = slab.copy(bytes, start, pos);
  writer.letGo();
  return result;
}

/** A copy in its own memory; see `Encoder.encodeOwned`. */
export function encodeToOwned(state: EncoderState, value: unknown): Uint8Array<ArrayBuffer> {
  const writer = write(idle(state), value, null);
  const result = copyOwned(writer.bytes, 0, writer.pos);
  writer.letGo();
  return result;
}

/** Copies the message into `target` at `offset`, and returns the offset after it; see `Encoder.encodeInto`. */
export function encodeToTarget(state: EncoderState, value: unknown, target: Uint8Array, offset: number): number {
  if (!(target instanceof Uint8Array)) throw invalidArgument("target must be a Uint8Array");
  if (!Number.isInteger(offset) || offset < 0 || offset > target.length) {
    throw invalidArgument(`offset must be an integer from 0 to ${target.length}`);
  }
  const writer = write(idle(state), value, null);
  const { bytes, pos } = writer;
  writer.letGo();
  const room = target.length - offset;
  if (pos > room) {
    throw new MoonpackError("ERR_BUFFER_TOO_SMALL", `the message takes ${pos} bytes, the target has room for ${room}`);
  }
  if (pos <= LOOP_BYTES) for (let i = 0; i < pos; i++) target[offset + i] = bytes[i]!;
  else target.set(bytes.subarray(0, pos), offset);
  return offset + pos;
}

/** A view of the writer's memory; see `Encoder.encodeShared`. */
export function encodeToShared(state: EncoderState, value: unknown): Uint8Array<ArrayBuffer> {
  state = idle(state);
  return write(state, value, null).shared();
}
