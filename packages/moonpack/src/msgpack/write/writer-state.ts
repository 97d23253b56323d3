import type { EncoderSettings } from "./settings.js";

/**
 * The parts of a writer that the files of rare values need. BaseWriter has them: the interface keeps these files from importing the
 * class that imports them.
 */
export interface WriterState {
  readonly settings: EncoderSettings;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  pos: number;
  /** Makes room for `n` bytes. */
  room(n: number): void;
  /** Writes any value. */
  write(value: unknown): void;
  /** Writes a number. */
  number(value: number): void;
  /** Writes the first byte of a format, and a length in 1, 2 or 4 bytes. */
  length(token: number, n: number): void;
  /** Writes bytes as they are. */
  raw(data: Uint8Array): void;
  /** Opens a level of nesting, and checks the depth. */
  open(holder: unknown): void;
  /** Closes a level of nesting. */
  close(): void;
  /** Writes a container of any kind. Returns false, and writes nothing, when the value is not a container. */
  container(value: unknown): boolean;
  /** Returns the error to throw after an error inside the result of `toMessagePack`. */
  fromReplacement(error: unknown, replacement: unknown): unknown;
}
