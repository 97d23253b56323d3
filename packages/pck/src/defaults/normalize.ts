/** Normalizes the defaults of fields: a default becomes the value that decoding its bytes returns. */
import { DEFAULT_MAX_DEPTH, MoonpackError } from "moonpack/bytes";
import { absenceOf, absentValueOf } from "../closures/absence.js";
import { DecoderCompiler } from "../closures/read.js";
import { holdsStructs } from "../closures/trampoline.js";
import { EncoderCompiler } from "../closures/write.js";
import { fromJson } from "../json/values.js";
import { schemaError } from "../model/errors.js";
import type { BuiltMember } from "../model/member.js";
import { countingReader } from "../runtime/reader.js";
import { JsonDefault } from "../schema/field.js";
import { codecSettings } from "../settings.js";
import { JsonChecker } from "./check.js";

/** Normalizes the defaults of one model. Each type is compiled once for all defaults. */
export class DefaultNormalizer {
  readonly #settings = codecSettings(undefined);
  readonly #encoders = new EncoderCompiler(this.#settings);
  readonly #decoders = new DecoderCompiler(this.#settings);
  readonly #checker = new JsonChecker(this.#encoders);

  /** Sets the default of a field. Throws `ERR_SCHEMA` for a default that is not a valid value of the field. */
  normalize(member: BuiltMember, where: string): void {
    const { given } = member;
    try {
      if (given instanceof JsonDefault) this.#normalizeJson(member, given.json);
      else member.setDefault(this.#decoded(member, given));
    } catch (cause) {
      const why = cause instanceof MoonpackError ? cause.message : "see cause";
      throw schemaError(where, `the default is not a valid value of the field: ${why}`, cause);
    }
  }

  #normalizeJson(member: BuiltMember, json: unknown): void {
    const { type } = member;
    if (json === null && member.omit.has("null")) member.setDefault(null);
    else if (!holdsStructs(type) || (Array.isArray(json) && json.length === 0)) {
      member.setDefault(this.#decoded(member, fromJson(type, json, DEFAULT_MAX_DEPTH)));
    } else {
      // Made only when it is used: a struct may have 65,535 fields that its JSON leaves out, and there may be as many
      // defaults.
      const copy = this.#checker.checked(type, json, 1);
      member.setLazyDefault(() => this.#decoded(member, fromJson(type, copy, DEFAULT_MAX_DEPTH)));
    }
  }

  /** Encodes and decodes a value. */
  #decoded(member: BuiltMember, value: unknown): unknown {
    if (member.isOptional && absenceOf(member, this.#settings)(value)) return absentValueOf(member, this.#settings)();
    const reader = countingReader(this.#encoders.encodeValue(member.type, value), DEFAULT_MAX_DEPTH, Infinity);
    return this.#decoders.get(member.type)(reader, 1);
  }
}
