import type { MessageReader } from "../read.js";
import type { MessageWriter } from "../write.js";

/** What a preset answers for extension types that are none of its own. */
export const NOT_MINE: unique symbol = /* @__PURE__ */ Symbol("not mine");

/** A set of extensions that hold what MessagePack itself cannot; made by moonpack, passed as `fidelity`. */
export class FidelityPreset {
  /** The value of extension `type`, whose data `from..to` are there; NOT_MINE for types of others. */
  readonly read: (reader: MessageReader, type: number, start: number, from: number, to: number) => unknown;
  /** Writes a value that MessagePack has no form for; false when the preset has none either. */
  readonly write: (writer: MessageWriter, value: unknown) => boolean;
  constructor(read: FidelityPreset["read"], write: FidelityPreset["write"]) {
    this.read = read;
    this.write = write;
  }
}
