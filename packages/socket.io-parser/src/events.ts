/** Schemas of events: the first argument of such an event is binary, which a codec of the application reads and writes. */
import { invalidArgument } from "moonpack/bytes";
import { invalidPacket } from "./errors.js";

/** What writes and reads the first argument of an event: a codec of `@moonpack/pck`, or anything with the same two methods. */
export interface EventCodec {
  encode(value: never): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

/** Codecs by the names of their events. */
export interface EventSchemas {
  readonly [event: string]: EventCodec;
}

/** The same as a table that inherits nothing. */
export type EventCodecs = ReadonlyMap<unknown, EventCodec>;

/** Checks the option `events`. `ERR_INVALID_ARGUMENT` otherwise. */
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

/** The codec of an event. socket.io's emitters call the same listeners for a name that is a number as for its text. */
function codecOf(codecs: EventCodecs, [name]: readonly unknown[]): EventCodec | undefined {
  if (codecs.size === 0) return undefined;
  return codecs.get(typeof name === "number" ? String(name) : name);
}

/** The arguments of an event with the first one as bytes, if it has a codec. Its errors are those of the codec. */
export function packEvent(codecs: EventCodecs, data: readonly unknown[]): readonly unknown[] {
  const codec = codecOf(codecs, data);
  if (codec === undefined) return data;
  return [data[0], codec.encode(data[1] as never), ...data.slice(2)];
}

/** The reverse, in place: `data` is what was decoded. `ERR_SOCKET_IO_PACKET` if the argument is not of the schema. */
export function unpackEvent(codecs: EventCodecs, data: unknown[]): void {
  const codec = codecOf(codecs, data);
  if (codec === undefined) return;
  const event = JSON.stringify(data[0]);
  if (!(data[1] instanceof Uint8Array))
    throw invalidPacket(`the first argument of ${event} must be binary, of its schema`);
  try {
    data[1] = codec.decode(data[1]);
  } catch (error) {
    throw invalidPacket(`the first argument of ${event} is not of its schema; see cause`, error);
  }
}
