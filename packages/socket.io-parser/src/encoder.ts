import { Encoder as MessagePackEncoder } from "moonpack/msgpack";
import { type EventCodecs, packEvent } from "./events.js";
import { type ParserOptions, readSettings } from "./options.js";
import { type Packet, PacketType } from "./packet.js";

/**
 * Encodes packets for socket.io: one MessagePack message for each, whatever binary is in it. socket.io makes one for a server, and
 * encodes a broadcast once.
 *
 * @example
 * const [bytes] = new Encoder().encode({ type: PacketType.EVENT, nsp: "/", data: ["hello", new Uint8Array(3)] });
 */
export class Encoder {
  readonly #messages: MessagePackEncoder;
  readonly #asObjects: boolean;
  readonly #keepsUndefined: boolean;
  readonly #events: EventCodecs;
  readonly #onError: ParserOptions["onEncodeError"];

  /** Throws `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: ParserOptions) {
    const { encoder, objects, events, onEncodeError } = readSettings(options);
    this.#messages = new MessagePackEncoder(encoder);
    this.#asObjects = objects;
    const { fidelity = "standard" } = encoder;
    // Every other preset has a form of undefined.
    this.#keepsUndefined = fidelity !== "standard" && fidelity !== "json";
    this.#events = events;
    this.#onError = onEncodeError;
  }

  /**
   * Returns the packet's only message. Arguments that are undefined become null, as in JSON.
   * Throws an `EncodeError` with the path of a value that MessagePack cannot hold: `$[2][1].at` is in the first argument of an
   * event. socket.io passes it on to the caller of `emit`. With `onEncodeError`, that is called, and there is no message.
   */
  encode(packet: Packet): Uint8Array<ArrayBuffer>[] {
    try {
      return [this.#messages.encode(this.#asObjects ? this.#object(packet) : this.#array(packet))];
    } catch (error) {
      if (this.#onError === undefined) throw error;
      this.#onError(error, packet);
      return [];
    }
  }

  /** A member that is absent must not be there: `fidelity: "js"` would keep it. */
  #object(packet: Packet): object {
    const { type, nsp, id } = packet;
    const data = this.#data(packet);
    if (data === undefined) return { type, nsp };
    return id === undefined ? { type, nsp, data } : { type, nsp, data, id };
  }

  #array(packet: Packet): unknown[] {
    const { type, nsp, id } = packet;
    const data = this.#data(packet);
    if (data === undefined) return [type, nsp];
    return id === undefined ? [type, nsp, data] : [type, nsp, data, id];
  }

  /** The data as it is written. socket.io keeps the packet, so it is never changed. */
  #data({ type, data }: Packet): unknown {
    if (!Array.isArray(data)) return data;
    const values = type === PacketType.EVENT ? packEvent(this.#events, data) : data;
    return this.#keepsUndefined || !values.includes(undefined) ? values : values.map((value) => value ?? null);
  }
}
