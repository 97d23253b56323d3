/**
 * Decoders over a plan, as closures. They read bytes of the writer's schema, with the checks and errors of the writer's
 * decoder, and return the values that the reader's decoder would return. Structs are compiled when the bytes first
 * contain them.
 */
import type { DecodeError } from "moonpack/bytes";
import type { Get } from "../closures/closure.js";
import { DecoderCompiler } from "../closures/read.js";
import { bitListReader, listReader, mapReader, nullableReader } from "../closures/read-containers.js";
import { typedArrayOf } from "../closures/representation.js";
import { RECURSIVE_DEPTH, runTask } from "../closures/trampoline.js";
import { isWide, type Node } from "../model/model.js";
import { Weights } from "../model/weights.js";
import { bitAt, checkDepth, countElements, type PackReader, readBits, readIndex, refused } from "../runtime/reader.js";
import { type CodecSettings, codecSettings } from "../settings.js";
import { AddedWeights } from "./added-weight.js";
import { DeepConverter } from "./execute-deep.js";
import { FillCompiler, type Make } from "./fill-values.js";
import { mapResult } from "./map-result.js";
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

/** Compiles the decoders of a plan. */
export class Converter implements ConversionCompiler {
  readonly settings: CodecSettings;
  readonly fills: FillCompiler;
  readonly weights: Weights;
  readonly added: AddedWeights;
  readonly #decoders: DecoderCompiler;
  /** Reads skipped values. Their 64-bit integers are bigints, so that none is refused as unsafe. */
  readonly #skips = new DecoderCompiler(codecSettings({ binary: "view" }));
  readonly #deep: DeepConverter;
  readonly #steps = new Map<StructPlan | ArmPlan, StructSteps>();

  constructor(settings: CodecSettings) {
    this.settings = settings;
    this.fills = new FillCompiler(settings);
    this.weights = new Weights(settings);
    this.added = new AddedWeights(settings);
    this.#decoders = new DecoderCompiler(settings);
    this.#deep = new DeepConverter(this);
  }

  /** Reads a struct whose own depth is `depth`. */
  struct(r: PackReader, plan: StructPlan, depth: number): unknown {
    return this.#read(r, this.stepsOf(plan), depth);
  }

  /** Returns the steps that read a struct; compiles them at the first call. */
  stepsOf(plan: StructPlan): StructSteps {
    const known = this.#steps.get(plan);
    if (known !== undefined) return known;
    const steps = stepsOf(plan, [], this);
    this.#steps.set(plan, steps);
    return steps;
  }

  /** Like {@link stepsOf}, for a union's arm, whose name is the first property. */
  stepsOfArm({ to }: UnionConversion, arm: ArmPlan): StructSteps {
    const known = this.#steps.get(arm);
    if (known !== undefined) return known;
    const steps = stepsOf(arm.plan, [[to.discriminator, to.arms[arm.place]!.name]], this);
    this.#steps.set(arm, steps);
    return steps;
  }

  /** Returns a reader of a skipped value. */
  skipped(type: Node): Get {
    return this.#skips.get(type);
  }

  /** Returns a reader of a converted value. `unknown` makes the value of a name or arm that the reader lacks. */
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
      case "nullable":
        return nullableReader(conversion.from, this.weights, this.converted(conversion.value));
      case "present":
        return this.converted(conversion.value);
    }
  }

  /**
   * Reads the index of an arm and returns its steps. Skips an arm that the reader lacks, and returns undefined for it.
   */
  armAt(r: PackReader, union: UnionConversion, depth: number, unknown: Make | undefined): StructSteps | undefined {
    checkDepth(r, depth);
    const start = r.pos;
    const index = readIndex(r, union.arms.length);
    const arm = union.arms[index];
    const { name, struct } = union.from.arms[index]!;
    if (arm === undefined && unknown === undefined) throw unknownName(name, start);
    countElements(r, this.weights.struct(struct));
    if (arm !== undefined) return this.stepsOfArm(union, arm);
    this.#skips.struct(struct)(r, depth);
    return undefined;
  }

  /** Returns a reader of a map's keys: 64-bit integers are always bigints. */
  key(conversion: Conversion): Get {
    return conversion.kind === "leaf" ? this.#leaf(conversion, true) : this.converted(conversion);
  }

  #read(r: PackReader, steps: StructSteps, depth: number): unknown {
    if (depth > RECURSIVE_DEPTH) return runTask(this.#deep.struct(r, steps, depth));
    checkDepth(r, depth);
    const { bits, bools, required, optionals, added, weight } = steps;
    if (weight > 0) countElements(r, weight);
    const start = bits === 0 ? 0 : readBits(r, bits);
    const value = steps.create();
    // Hot: loops by index, as in the codec's own decoder.
    for (let i = 0; i < bools.length; i++) {
      const { name, bit } = bools[i]!;
      value[name] = bitAt(r, start, bit);
    }
    for (let i = 0; i < required.length; i++) {
      const { name, get, adjust } = required[i]!;
      const { pos } = r;
      const member = get(r, depth);
      if (name !== undefined) value[name] = adjust === undefined ? member : adjust(member, pos);
    }
    for (let i = 0; i < optionals.length; i++) {
      const { name, get, adjust, absent, weight } = optionals[i]!;
      const { pos } = r;
      let member: unknown;
      if (bitAt(r, start, i)) {
        if (weight > 0) countElements(r, weight);
        member = get(r, depth);
        if (adjust !== undefined) member = adjust(member, pos);
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
    const get = this.#decoders.key(from);
    return isWide(from.kind) ? get : (r, depth) => BigInt(get(r, depth) as number);
  }

  #list({ from, to, element }: ListConversion): Get {
    if (from.element.kind === "bool") return bitListReader(from, this.weights, undefined);
    if (element.kind === "nullable") return bitListReader(from, this.weights, this.converted(element.value));
    return listReader(from, this.weights, this.converted(element), typedArrayOf(to.element, this.settings));
  }

  #map(conversion: MapConversion): Get {
    const { from, key, value } = conversion;
    return mapReader(from, this.weights, this.key(key), this.converted(value), mapResult(conversion, this.settings));
  }
}

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

/** Returns the error of a name at `offset` that the reader lacks. */
export function unknownName(name: string, offset: number): DecodeError {
  return refused("ERR_UNKNOWN_INDEX", `${JSON.stringify(name)}, which the reader's schema does not have`, offset);
}
