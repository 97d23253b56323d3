import { Emitter } from "@socket.io/component-emitter";
import { type BytesInput, DecodeError } from "moonpack/bytes";
import { Decoder as MessagePackDecoder } from "moonpack/msgpack";
import { type CheckedPacket, checkedPacket } from "./check.js";
import { invalidPacket } from "./errors.js";
import { type EventCodecs, unpackEvent } from "./events.js";
import { type ParserOptions, readSettings } from "./options.js";
import { type Packet, PacketType } from "./packet.js";

/** What a decoder emits. */
export interface DecoderEvents {
  decoded: (packet: Packet) => void;
}

/** The type of the events that users may emit: none. */
export type NoEvents = Record<never, never>;

/**
 * Decodes packets for socket.io, which makes one for each connection, listens to `decoded` and gives it each message. Only packets
 * that socket.io can handle are emitted.
 *
 * @example
 * const decoder = new Decoder();
 * decoder.on("decoded", (packet) => console.log(packet.data));
 * decoder.add(bytes);
 */
export class Decoder extends Emitter<NoEvents, NoEvents, DecoderEvents> {
  readonly #messages: MessagePackDecoder;
  readonly #events: EventCodecs;

  /** Throws `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: ParserOptions) {
    super();
    const { decoder, events } = readSettings(options);
    this.#messages = new MessagePackDecoder(decoder);
    this.#events = events;
  }

  /**
   * Decodes one message and emits its packet.
   * Throws a `DecodeError` for bytes that are not MessagePack, and `ERR_SOCKET_IO_PACKET` for what is not a packet. socket.io
   * catches it and closes this connection only; on a client the reason is `parse error`.
   */
  add(message: BytesInput | string): void {
    if (typeof message === "string") throw invalidPacket("a text message; does the peer have the same parser?");
    this.emitReserved("decoded", this.#packet(message));
  }

  /** Nothing to release: a packet is one message, so nothing is kept between them. */
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
      // What is no view or buffer was not sent by a peer that speaks the protocol.
      throw error instanceof DecodeError ? error : invalidPacket("not a binary message", error);
    }
  }
}
