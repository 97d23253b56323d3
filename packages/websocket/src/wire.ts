/** What a connection needs of a WebSocket, whoever made it. */

/** What a WebSocket tells its connection. */
export interface WireEvents {
  opened(): void;
  message(bytes: Uint8Array): void;
  text(): void;
  /** A ping of the protocol itself, or an answer to one of this end. */
  alive(): void;
  /** Something that was sent has left the process. */
  sent(): void;
  /** The peer broke the rules, or the connection is lost; `ended` follows. */
  failed(error: unknown): void;
  ended(code: number, reason: string): void;
}

/** A WebSocket. */
export interface Wire {
  /** True if `pause` makes the peer wait. */
  readonly canPause: boolean;
  /** Bytes that were sent and have not left the process. */
  readonly bufferedBytes: number;
  /** About the memory of the messages that have not left the process: their bytes, and what each message costs beside them. */
  readonly unsentBytes: number;
  /** Bytes that the system has not taken, where messages count as a whole until they have left. */
  readonly pendingBytes?: number;
  readonly isOpen: boolean;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  /** Sends an answer. Returns how many answers have not left the process. */
  answer(bytes: Uint8Array<ArrayBuffer>): number;
  /** Calls `sent` as bytes leave, until `unsentBytes` is at most `below`. */
  watch(below: number): void;
  pause(): void;
  resume(): void;
  /** A ping of the protocol, unless the last one has not left; undefined where only messages can be sent. */
  readonly ping: (() => void) | undefined;
  /**
   * The answer to the peer's last ping once more, unless other bytes wait: a sign of life that the peer does not answer. Only where
   * `canPause`.
   */
  beat?(): void;
  /** Closes when all that was sent before has left. */
  close(code: number, reason: string): void;
  /** Ends at once. `ended` follows, perhaps during the call. */
  terminate(): void;
}
