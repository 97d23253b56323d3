/** Codecs of events. The first argument of such an event is sent as binary. */
import { invalidArgument } from "moonpack/bytes";
import { invalidPacket } from "./errors.js";

/** Writes and reads the first argument of an event: a codec of `@moonpack/pck`, or any object with these two methods. */
export interface EventCodec {
  /** Returns the bytes of a value. Throws for an unsupported one. */
  encode(value: never): Uint8Array;
  /** Returns the value of bytes. Throws for invalid ones. */
  decode(bytes: Uint8Array): unknown;
}

/** Codecs by the names of their events. */
export interface EventSchemas {
  readonly [event: string]: EventCodec;
}

/** The codecs as a Map. */
export type EventCodecs = ReadonlyMap<unknown, EventCodec>;

/** Checks the option `events`. Throws `ERR_INVALID_ARGUMENT`. */
export function readEvents(value: unknown): EventCodecs {
  const codecs = new Map<unknown, EventCodec>();
  if (value === undefined) return codecs;
  if (typeof value !== "object" || value === null) throw invalidArgument("events must be an object of codecs");
  for (const [event, codec] of Object.entries(value)) {
    if (typeof codec?.encode !== "function" || typeof codec.decode !== "function")
      throw invalidArgument(`events: ${JSON.stringify(event)} must be a codec, with the methods encode and decode`);
    codecs.set(event, codec);
  }
  return codecs;
}

/** Returns the codec of an event. A number as name has the codec of its text, because socket.io's emitters treat them as equal. */
function codecOf(codecs: EventCodecs, [name]: readonly unknown[]): EventCodec | undefined {
  if (codecs.size === 0) return undefined;
  return codecs.get(typeof name === "number" ? String(name) : name);
}

/** Returns the arguments of an event; the first as bytes if the event has a codec. Throws the codec's errors. */
export function packEvent(codecs: EventCodecs, data: readonly unknown[]): readonly unknown[] {
  const codec = codecOf(codecs, data);
  if (codec === undefined) return data;
  return [data[0], codec.encode(data[1] as never), ...data.slice(2)];
}

/** Decodes the first argument in place, if the event has a codec. Throws `ERR_SOCKET_IO_PACKET` for invalid bytes. */
export function unpackEvent(codecs: EventCodecs, data: unknown[]): void {
  const codec = codecOf(codecs, data);
  if (codec === undefined) return;
  const event = JSON.stringify(data[0]);
  if (!(data[1] instanceof Uint8Array)) throw invalidPacket(`the first argument of ${event} must be binary`);
  try {
    data[1] = codec.decode(data[1]);
  } catch (error) {
    throw invalidPacket(`the first argument of ${event} is invalid for its codec; see cause`, error);
  }
}
