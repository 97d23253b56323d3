import type { BaseReader } from "../read/base.js";
import type { MessageReader } from "../read/message.js";
import type { Frame } from "../read/stack.js";

/** A value in the form of an extension, whose data are one array. */
export interface Parts {
  readonly type: number;
  readonly data: readonly unknown[];
  /** `data` are entries `[key, value]`: they are written as keys and values in turn, and `canonical` sorts them. */
  readonly isPairs?: boolean;
}

/** Extensions for values without a MessagePack format. Passed as the option `fidelity`; moonpack has `js` and `jsRegExp`. */
export class FidelityPreset {
  readonly #first: number;
  readonly #last: number;
  /**
   * True if regular expressions are read, which compiles them.
   *
   * @internal
   */
  readonly regExps: boolean;
  /**
   * Reads an extension of the preset, see JsExtensions.
   *
   * @internal
   */
  readonly read: (reader: BaseReader, type: number, start: number, from: number, to: number) => unknown;
  /**
   * Reads a container with a stack on the heap, see JsExtensions.
   *
   * @internal
   */
  readonly readOnStack: (reader: MessageReader, start: number, frames: Frame[]) => unknown;
  /**
   * The extension for a value without a MessagePack format; undefined if the preset has no extension for it.
   *
   * @internal
   */
  readonly toParts: (value: unknown) => Parts | undefined;
  /** @internal */
  constructor(
    first: number,
    last: number,
    regExps: boolean,
    read: FidelityPreset["read"],
    readOnStack: FidelityPreset["readOnStack"],
    toParts: FidelityPreset["toParts"],
  ) {
    this.#first = first;
    this.#last = last;
    this.regExps = regExps;
    this.read = read;
    this.readOnStack = readOnStack;
    this.toParts = toParts;
    Object.freeze(this); // all codecs that choose it share it
  }

  /**
   * True for the extension types of the preset, which cannot be registered.
   *
   * @internal
   */
  owns(type: number): boolean {
    return type >= this.#first && type <= this.#last;
  }
}
