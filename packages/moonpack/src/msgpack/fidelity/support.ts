import type { MessageReader } from "../read.js";

/** A value as an extension: its data are one array. */
export interface Parts {
  readonly type: number;
  readonly data: readonly unknown[];
  /** The data are keys and values in turn, which `canonical` sorts. */
  readonly isPairs?: boolean;
}

/** A set of extensions that hold what MessagePack itself cannot; made by moonpack, passed as `fidelity`. */
export class FidelityPreset {
  readonly #first: number;
  readonly #last: number;
  /**
   * The value of extension `type`, one of its own, whose data `from..to` are there.
   *
   * @internal
   */
  readonly read: (reader: MessageReader, type: number, start: number, from: number, to: number) => unknown;
  /**
   * What a value is written as that MessagePack has no form for; undefined when the preset has none either.
   *
   * @internal
   */
  readonly toParts: (value: unknown) => Parts | undefined;
  /** @internal */
  constructor(first: number, last: number, read: FidelityPreset["read"], toParts: FidelityPreset["toParts"]) {
    this.#first = first;
    this.#last = last;
    this.read = read;
    this.toParts = toParts;
  }

  /** Is the extension type one of its own, which nobody else may register? */
  owns(type: number): boolean {
    return type >= this.#first && type <= this.#last;
  }
}
