import { Emitter } from "@socket.io/component-emitter";
import { type BytesInput, DecodeError } from "moonpack/bytes";
import { Decoder as MessagePackDecoder } from "moonpack/msgpack";
import { type CheckedPacket, checkedPacket } from "./check.js";
import { invalidPacket } from "./errors.js";
import { type EventCodecs, unpackEvent } from "./events.js";
import { type ParserOptions, readSettings } from "./options.js";
import { type Packet, PacketType } from "./packet.js";

/** The events of a decoder. */
export interface DecoderEvents {
  /** Called with each valid packet. */
  decoded: (packet: Packet) => void;
}

/** The type of an emitter without events of users. */
export type NoEvents = Record<never, never>;

/**
 * Decodes packets for socket.io, which makes a decoder for each connection, passes each message to `add` and listens to `decoded`. Only valid
 * packets are emitted.
 *
 * @example
 * const decoder = new Decoder();
 * decoder.on("decoded", (packet) => console.log(packet.data));
 * decoder.add(bytes);
 */
export class Decoder extends Emitter<NoEvents, NoEvents, DecoderEvents> {
  readonly #messages: MessagePackDecoder;
  readonly #events: EventCodecs;

  /** Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown option. */
  constructor(options?: ParserOptions) {
    super();
    const { decoder, events } = readSettings(options);
    this.#messages = new MessagePackDecoder(decoder);
    this.#events = events;
  }

  /**
   * Decodes one message and emits its packet.
   * Throws a `DecodeError` for bytes that are not MessagePack, and `ERR_SOCKET_IO_PACKET` for an invalid packet. socket.io catches the error
   * and closes only this connection; on a client the reason is `parse error`.
   */
  add(message: BytesInput | string): void {
    if (typeof message === "string") throw invalidPacket("a text message; does the peer have the same parser?");
    this.emitReserved("decoded", this.#packet(message));
  }

  /** Does nothing: a decoder has no state between packets. */
  destroy(): void {}

  #packet(message: BytesInput): CheckedPacket {
    const packet = checkedPacket(this.#decoded(message));
    if (packet.type === PacketType.EVENT) unpackEvent(this.#events, packet.data as unknown[]);
    return packet;
  }

  #decoded(message: BytesInput): unknown {
    try {
      return this.#messages.decode(message);
    } catch (error) {
      // The argument is not a view or a buffer.
      throw error instanceof DecodeError ? error : invalidPacket("not a binary message", error);
    }
  }
}
