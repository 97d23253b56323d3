/** Defaults of fields: looked at, and made into what they are read back as. */
import { MoonpackError } from "../../bytes/errors.js";
import { DEFAULT_MAX_DEPTH } from "../../bytes/limits.js";
import { PackReader } from "../../bytes/pack-reader.js";
import { GrowingPackWriter } from "../../bytes/pack-writer.js";
import { holdsStructs } from "../codec/deep.js";
import { fromJson } from "../codec/json.js";
import { absenceOf, absentValueOf } from "../codec/presence.js";
import { DecoderCompiler } from "../codec/read.js";
import { codecSettings } from "../codec/settings.js";
import { EncoderCompiler } from "../codec/write.js";
import { schemaError } from "../model/errors.js";
import type { BuiltMember } from "../model/member.js";
import { JsonDefault } from "../schema/field.js";
import { JsonChecker } from "./check.js";

/** Settles the defaults of one model; each type is compiled once for all of them. */
export class DefaultSettler {
  readonly #settings = codecSettings(undefined);
  readonly #encoders = new EncoderCompiler(this.#settings);
  readonly #decoders = new DecoderCompiler(this.#settings);
  readonly #checker = new JsonChecker(this.#encoders);

  /** A default counts as what it is read back as once it was written. `ERR_SCHEMA` for one that is no value of its field. */
  settle(member: BuiltMember, where: string): void {
    const { given } = member;
    try {
      if (given instanceof JsonDefault) this.#settleJson(member, given.json);
      else member.settle(this.#readBack(member, given));
    } catch (cause) {
      const why = cause instanceof MoonpackError ? cause.message : "see cause";
      throw schemaError(where, `the default is no value of the field: ${why}`, cause);
    }
  }

  #settleJson(member: BuiltMember, json: unknown): void {
    const { type } = member;
    if (json === null && member.omit.has("null")) member.settle(null);
    else if (!holdsStructs(type) || (Array.isArray(json) && json.length === 0)) {
      member.settle(this.#readBack(member, fromJson(type, json, DEFAULT_MAX_DEPTH)));
    } else {
      // A struct may have 65,535 fields of which its JSON tells none, and there may be as many such defaults: what they are is
      // only made of those that are used.
      const copy = this.#checker.checked(type, json, 1);
      member.settleLater(() => this.#readBack(member, fromJson(type, copy, DEFAULT_MAX_DEPTH)));
    }
  }

  #readBack(member: BuiltMember, value: unknown): unknown {
    if (member.isOptional && absenceOf(member, this.#settings)(value)) return absentValueOf(member, this.#settings)();
    const writer = new GrowingPackWriter(64, DEFAULT_MAX_DEPTH);
    this.#encoders.put(member.type)(writer, value, 1);
    const reader = new PackReader(writer.bytes.slice(0, writer.pos), 0, DEFAULT_MAX_DEPTH);
    return this.#decoders.get(member.type)(reader, 1);
  }
}
