/** Received messages: kept as bytes, and decoded when they are read. */
import { DecodeError, MoonpackError } from "moonpack/bytes";
import type { Kinds, Message } from "./codecs.js";
import { decodeMessage, owned } from "./messages.js";
import type { Settings } from "./options.js";
import { ReceiveQueue } from "./receive-queue.js";

/** Events of an inbox. */
export interface InboxEvents {
  /** More than `unreadBytes` wait to be read. */
  behind(): void;
  /** At most half of `unreadBytes` waits. */
  caughtUp(): void;
  failed(error: MoonpackError, closeCode: number): void;
}

interface Reader<K extends Kinds, V> {
  resolve(message: Message<K, V> | undefined): void;
  reject(error: unknown): void;
}

/** The messages of one connection. */
export class Inbox<K extends Kinds, V> {
  readonly #settings: Settings;
  readonly #events: InboxEvents;
  readonly #queue = new ReceiveQueue();
  /** Readers wait only while the queue is empty, so the order is kept. */
  readonly #readers: Reader<K, V>[] = [];
  #isBehind = false;

  constructor(settings: Settings, events: InboxEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  /** Approximate memory of the messages that wait to be read. */
  get bytes(): number {
    return this.#queue.bytes;
  }

  add(bytes: Uint8Array): void {
    const { maxMessageBytes, maxUnreadBytes, unreadBytes } = this.#settings;
    if (bytes.length > maxMessageBytes) {
      const text = `a message of ${bytes.length} bytes; maxMessageBytes is ${maxMessageBytes}`;
      return this.#events.failed(new MoonpackError("ERR_LIMIT_BYTES", text), 1009);
    }
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      this.#decoded(bytes).then(reader.resolve, reader.reject);
      return;
    }
    this.#queue.push(owned(bytes));
    if (!this.#isBehind && this.#queue.bytes > unreadBytes) {
      this.#isBehind = true;
      this.#events.behind();
    }
    // A paused socket stays far below.
    if (this.#queue.bytes > maxUnreadBytes) {
      const text = `more than ${maxUnreadBytes} bytes wait to be read; see maxUnreadBytes`;
      this.#events.failed(new MoonpackError("ERR_WEBSOCKET_UNREAD", text), 1008);
    }
  }

  /** Removes and returns the oldest message; undefined if none waits. */
  take(): Promise<Message<K, V>> | undefined {
    const bytes = this.#queue.shift();
    if (bytes === undefined) return undefined;
    if (this.#isBehind && this.#queue.bytes <= this.#settings.unreadBytes / 2) {
      this.#isBehind = false;
      this.#events.caughtUp();
    }
    return this.#decoded(bytes);
  }

  /** Resolves with the next message that arrives. */
  wait(): Promise<Message<K, V> | undefined> {
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  clear(): void {
    this.#queue.clear();
  }

  /** No more messages arrive: waiting readers get the error, or undefined. */
  end(error: MoonpackError | undefined): void {
    for (const reader of this.#readers.splice(0)) {
      if (error === undefined) reader.resolve(undefined);
      else reader.reject(error);
    }
  }

  async #decoded(bytes: Uint8Array): Promise<Message<K, V>> {
    try {
      return decodeMessage(this.#settings, bytes) as Message<K, V>;
    } catch (error) {
      const known =
        error instanceof MoonpackError
          ? error
          : new MoonpackError("ERR_USER_CODE", "a codec threw an error; see cause", error);
      this.clear();
      this.#events.failed(known, error instanceof DecodeError ? 1007 : 1003);
      throw known;
    }
  }
}
