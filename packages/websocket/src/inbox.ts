/** What has come: decoded when it is read, and kept as bytes until then. */
import { DecodeError, MoonpackError } from "moonpack/bytes";
import { decodeMessage, type Kinds, type Message, owned } from "./kinds.js";
import type { Settings } from "./options.js";
import { Unread } from "./unread.js";

/** What an inbox asks of its connection. */
export interface InboxEvents {
  /** More than `unreadBytes` wait to be read. */
  behind(): void;
  /** Half of that, or less. */
  caughtUp(): void;
  failed(error: MoonpackError, closeCode: number): void;
}

interface Reader<K extends Kinds> {
  resolve(message: Message<K> | undefined): void;
  reject(error: unknown): void;
}

/** The messages of one connection. */
export class Inbox<K extends Kinds> {
  readonly #settings: Settings;
  readonly #events: InboxEvents;
  readonly #unread = new Unread();
  /** Readers wait only while there are no messages, so the order is kept. */
  readonly #readers: Reader<K>[] = [];
  #isBehind = false;

  constructor(settings: Settings, events: InboxEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  /** About the memory of what waits to be read. */
  get bytes(): number {
    return this.#unread.bytes;
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
    this.#unread.push(owned(bytes));
    if (!this.#isBehind && this.#unread.bytes > unreadBytes) {
      this.#isBehind = true;
      this.#events.behind();
    }
    // A socket that is paused stays far below.
    if (this.#unread.bytes > maxUnreadBytes) {
      const text = `more than ${maxUnreadBytes} bytes wait to be read; see maxUnreadBytes`;
      this.#events.failed(new MoonpackError("ERR_WEBSOCKET_UNREAD", text), 1008);
    }
  }

  /** The oldest message; undefined if there is none. */
  take(): Promise<Message<K>> | undefined {
    const bytes = this.#unread.shift();
    if (bytes === undefined) return undefined;
    if (this.#isBehind && this.#unread.bytes <= this.#settings.unreadBytes / 2) {
      this.#isBehind = false;
      this.#events.caughtUp();
    }
    return this.#decoded(bytes);
  }

  /** The next message that comes. */
  wait(): Promise<Message<K> | undefined> {
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  clear(): void {
    this.#unread.clear();
  }

  /** Nothing more comes: readers that wait get the error, or undefined. */
  end(error: MoonpackError | undefined): void {
    for (const reader of this.#readers.splice(0)) {
      if (error === undefined) reader.resolve(undefined);
      else reader.reject(error);
    }
  }

  async #decoded(bytes: Uint8Array): Promise<Message<K>> {
    try {
      return decodeMessage(this.#settings, bytes) as Message<K>;
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
