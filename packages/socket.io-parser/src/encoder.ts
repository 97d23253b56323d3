import { Encoder as MessagePackEncoder } from "moonpack/msgpack";
import { type EventCodecs, packEvent } from "./events.js";
import { type ParserOptions, readSettings } from "./options.js";
import { type Packet, PacketType } from "./packet.js";

/**
 * Encodes packets for socket.io: each becomes one MessagePack message, binary included. socket.io makes one encoder for a server, and encodes
 * a broadcast once.
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

  /** Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown option. */
  constructor(options?: ParserOptions) {
    const { encoder, objects, events, onEncodeError } = readSettings(options);
    this.#messages = new MessagePackEncoder(encoder);
    this.#asObjects = objects;
    const { fidelity = "standard" } = encoder;
    // All other presets encode undefined.
    this.#keepsUndefined = fidelity !== "standard" && fidelity !== "json";
    this.#events = events;
    this.#onError = onEncodeError;
  }

  /**
   * Returns an array with the packet's only message. Undefined arguments become null, as in JSON.
   * Throws an `EncodeError` with the path of an unsupported value: `$[2][1].at` is in the first argument of an event. The caller of `emit`
   * gets this error. With `onEncodeError`, calls it and returns an empty array.
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

  /** Omits absent members: `fidelity: "js"` would encode undefined. */
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

  /** Returns the data to encode. The packet is unchanged: socket.io keeps it. */
  #data({ type, data }: Packet): unknown {
    if (!Array.isArray(data)) return data;
    const values = type === PacketType.EVENT ? packEvent(this.#events, data) : data;
    return this.#keepsUndefined || !values.includes(undefined) ? values : values.map((value) => value ?? null);
  }
}
