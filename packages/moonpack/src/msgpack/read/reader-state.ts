import type { DecoderSettings } from "./settings.js";

/**
 * The parts of a reader that the files of rare formats and features need. BaseReader and its subclasses have it: the interface keeps these files from
 * importing the classes that import them.
 */
export interface ReaderState {
  readonly settings: DecoderSettings;
  readonly src: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  readonly end: number;
  pos: number;
  readMap(n: number, start: number, header: number): unknown;
  readArray(n: number, start: number, header: number): unknown;
  readString(n: number, start: number, header: number): unknown;
  incomplete(start: number, missing: number): unknown;
  hintOf?(type: number): string;
  checkForm?(token: number, n: number, pos: number): void;
  checkTimestamp?(size: number, nanoseconds: number, high: number, start: number): void;
}
