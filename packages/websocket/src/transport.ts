/** The interface between a connection and its WebSocket: one of ws, or one of the runtime. */

/** Events of a WebSocket. */
export interface TransportEvents {
  opened(): void;
  message(bytes: Uint8Array): void;
  text(): void;
  /** A ping of the protocol, or an answer to one that this end sent. */
  alive(): void;
  /** Sent bytes have left the process. */
  sent(): void;
  /** The peer violated the protocol, or the connection is lost; `ended` follows. */
  failed(error: unknown): void;
  ended(code: number, reason: string): void;
}

/** A WebSocket. */
export interface Transport {
  /** True if `pause` makes the peer wait. */
  readonly canPause: boolean;
  /** Number of sent bytes that have not left the process. */
  readonly bufferedBytes: number;
  /** Approximate memory of the messages that have not left the process: their bytes and the cost of each message. */
  readonly unsentBytes: number;
  /** Bytes that the system has not accepted. `bufferedBytes` counts a message as a whole until all of it has left. */
  readonly pendingBytes?: number;
  readonly isOpen: boolean;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  /** Sends a PONG. Returns the number of PONGs that have not left the process. */
  answer(bytes: Uint8Array<ArrayBuffer>): number;
  /** Starts to call `sent` whenever bytes leave the process, until `unsentBytes` is at most `below`. */
  reportSent(below: number): void;
  pause(): void;
  resume(): void;
  /** Sends a ping of the protocol, unless the last one has not left; undefined where only messages can be sent. */
  readonly ping: (() => void) | undefined;
  /**
   * Repeats the answer to the peer's last ping, unless other bytes wait: it shows that this end is alive, and the peer does not answer
   * it. Only where `canPause`.
   */
  repeatPong?(): void;
  /** Closes after all sent bytes have left. */
  close(code: number, reason: string): void;
  /** Ends immediately. `ended` follows, perhaps during the call. */
  terminate(): void;
}
