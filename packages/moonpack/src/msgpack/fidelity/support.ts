import type { MessageReader } from "../read.js";

/** What a preset answers for extension types that are none of its own. */
export const NOT_MINE: unique symbol = /* @__PURE__ */ Symbol("not mine");

/** A value as an extension: its data are one array. */
export interface Parts {
  readonly type: number;
  readonly data: readonly unknown[];
  /** The data are keys and values in turn, which `canonical` sorts. */
  readonly isPairs?: boolean;
}

/** A set of extensions that hold what MessagePack itself cannot; made by moonpack, passed as `fidelity`. */
export class FidelityPreset {
  /** Its extension types, from the first to the last, which nobody else may register. */
  readonly types: readonly [number, number];
  /** The value of extension `type`, whose data `from..to` are there; NOT_MINE for types of others. */
  readonly read: (reader: MessageReader, type: number, start: number, from: number, to: number) => unknown;
  /** What a value is written as that MessagePack has no form for; undefined when the preset has none either. */
  readonly toParts: (value: unknown) => Parts | undefined;
  constructor(types: FidelityPreset["types"], read: FidelityPreset["read"], toParts: FidelityPreset["toParts"]) {
    this.types = types;
    this.read = read;
    this.toParts = toParts;
  }
}
