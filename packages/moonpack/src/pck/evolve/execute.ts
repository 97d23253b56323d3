/**
 * Closures over a plan: they read what the writer's schema says is there, with the checks and the errors of its own decoder, and
 * answer what the reader's decoder would. Structs are compiled when they are first met in bytes.
 */
import type { DecodeError } from "../../bytes/errors.js";
import { bitAt, checkDepth, type PackReader, readBits, readFlag, readIndex, refused } from "../../bytes/pack-reader.js";
import { RECURSIVE_DEPTH, runDeep } from "../codec/deep.js";
import { typedArrayOf } from "../codec/presence.js";
import { DecoderCompiler } from "../codec/read.js";
import { bitListReader, type Get, listReader, mapReader } from "../codec/read-containers.js";
import { type CodecSettings, codecSettings } from "../codec/settings.js";
import type { Node } from "../model/model.js";
import { DeepConverter } from "./execute-deep.js";
import { FillCompiler, type Make } from "./fill-values.js";
import { mapAnswer } from "./map-answer.js";
import { isWide } from "./numbers.js";
import type {
  ArmPlan,
  Conversion,
  EnumerationConversion,
  LeafConversion,
  ListConversion,
  MapConversion,
  StructPlan,
  UnionConversion,
} from "./plan.js";
import { type ConversionCompiler, type StructSteps, stepsOf } from "./steps.js";

/** Reads the structs of a plan. */
export class Converter implements ConversionCompiler {
  readonly settings: CodecSettings;
  readonly fills: FillCompiler;
  readonly #decoders: DecoderCompiler;
  /** Reads what nobody will see: an integer that nobody gets may be as large as it likes. */
  readonly #skips = new DecoderCompiler(SKIPPING);
  readonly #deep: DeepConverter;
  readonly #steps = new Map<StructPlan | ArmPlan, StructSteps>();

  constructor(settings: CodecSettings) {
    this.settings = settings;
    this.fills = new FillCompiler(settings);
    this.#decoders = new DecoderCompiler(settings);
    this.#deep = new DeepConverter(this);
  }

  /** Reads a struct that lies at `depth` itself. */
  struct(r: PackReader, plan: StructPlan, depth: number): unknown {
    return this.#read(r, this.stepsOf(plan), depth);
  }

  stepsOf(plan: StructPlan): StructSteps {
    const known = this.#steps.get(plan);
    if (known !== undefined) return known;
    const steps = stepsOf(plan, [], this);
    this.#steps.set(plan, steps);
    return steps;
  }

  /** The same of a union's arm: its name is its first property. */
  stepsOfArm({ to }: UnionConversion, arm: ArmPlan): StructSteps {
    const known = this.#steps.get(arm);
    if (known !== undefined) return known;
    const steps = stepsOf(arm.plan, [[to.discriminator, to.arms[arm.place]!.name]], this);
    this.#steps.set(arm, steps);
    return steps;
  }

  skipped(type: Node): Get {
    return this.#skips.get(type);
  }

  converted(conversion: Conversion, unknown?: Make): Get {
    switch (conversion.kind) {
      case "leaf":
        return this.#leaf(conversion, this.settings.int64 === "bigint");
      case "enumeration":
        return enumerationReader(conversion, unknown);
      case "struct": {
        const { plan } = conversion;
        let steps: StructSteps | undefined;
        return (r, depth) => this.#read(r, (steps ??= this.stepsOf(plan)), depth + 1);
      }
      case "union":
        return (r, depth) => {
          const start = r.pos;
          const steps = this.armAt(r, conversion, depth + 1, unknown);
          return steps === undefined ? unknown!(start) : this.#read(r, steps, depth + 1);
        };
      case "list":
        return this.#list(conversion);
      case "map":
        return this.#map(conversion);
      case "nullable": {
        const get = this.converted(conversion.value);
        return (r, depth) => (readFlag(r) ? get(r, depth) : null);
      }
      case "present":
        return this.converted(conversion.value);
    }
  }

  /** Which arm is there; undefined for one that `unknown` stands for: it has been skipped. */
  armAt(r: PackReader, union: UnionConversion, depth: number, unknown: Make | undefined): StructSteps | undefined {
    checkDepth(r, depth);
    const start = r.pos;
    const index = readIndex(r, union.arms.length);
    const arm = union.arms[index];
    if (arm !== undefined) return this.stepsOfArm(union, arm);
    const { name, struct } = union.from.arms[index]!;
    if (unknown === undefined) throw unknownName(name, start);
    this.#skips.struct(struct)(r, depth);
    return undefined;
  }

  /** Reads keys: 64-bit integers are bigints always. */
  key(conversion: Conversion): Get {
    return conversion.kind === "leaf" ? this.#leaf(conversion, true) : this.converted(conversion);
  }

  #read(r: PackReader, steps: StructSteps, depth: number): unknown {
    if (depth > RECURSIVE_DEPTH) return runDeep(this.#deep.struct(r, steps, depth));
    checkDepth(r, depth);
    const { bits, bools, required, optionals, added } = steps;
    const start = bits === 0 ? 0 : readBits(r, bits);
    const value = steps.create();
    // Loops by index, as in the codec's own decoder.
    for (let i = 0; i < bools.length; i++) {
      const { name, bit } = bools[i]!;
      value[name] = bitAt(r, start, bit);
    }
    for (let i = 0; i < required.length; i++) {
      const { name, get, settle } = required[i]!;
      const { pos } = r;
      const member = get(r, depth);
      if (name !== undefined) value[name] = settle === undefined ? member : settle(member, pos);
    }
    for (let i = 0; i < optionals.length; i++) {
      const { name, get, settle, absent } = optionals[i]!;
      const { pos } = r;
      let member: unknown;
      if (bitAt(r, start, i)) {
        member = get(r, depth);
        if (settle !== undefined) member = settle(member, pos);
      } else member = absent(pos);
      if (name !== undefined) value[name] = member;
    }
    for (let i = 0; i < added.length; i++) {
      const { name, make } = added[i]!;
      value[name] = make(r.pos);
    }
    return value;
  }

  #leaf({ from, to }: LeafConversion, isBig: boolean): Get {
    if (!isWide(to.kind) || !isBig) return this.#decoders.get(from);
    const get = this.#decoders.wide(from);
    return isWide(from.kind) ? get : (r, depth) => BigInt(get(r, depth) as number);
  }

  #list({ from, to, element }: ListConversion): Get {
    if (from.element.kind === "bool") return bitListReader(from, undefined);
    if (element.kind === "nullable") return bitListReader(from, this.converted(element.value));
    return listReader(from, this.converted(element), typedArrayOf(to.element, this.settings));
  }

  #map(conversion: MapConversion): Get {
    const { from, key, value } = conversion;
    return mapReader(from, this.key(key), this.converted(value), mapAnswer(conversion, this.settings));
  }
}

const SKIPPING: CodecSettings = /* @__PURE__ */ codecSettings({ binary: "view" });

function enumerationReader({ from, places }: EnumerationConversion, unknown: Make | undefined): Get {
  const { values } = from;
  return (r) => {
    const start = r.pos;
    const index = readIndex(r, values.length);
    const name = values[index]!;
    if (places[index]! >= 0) return name;
    if (unknown === undefined) throw unknownName(name, start);
    return unknown(start);
  };
}

function unknownName(name: string, offset: number): DecodeError {
  return refused("ERR_UNKNOWN_INDEX", `${JSON.stringify(name)}, which the reader's schema has not`, offset);
}
