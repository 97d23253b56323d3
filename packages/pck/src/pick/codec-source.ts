/**
 * What the pickers of a codec are compiled from: plans whose both schemas are the codec's, and its own decoders. Without the planner
 * and the fills of `resolve`, which a page would pay for.
 */
import { absentValueOf } from "../closures/absence.js";
import type { Get } from "../closures/closure.js";
import { DecoderCompiler } from "../closures/read.js";
import type { Make } from "../evolve/fill-values.js";
import { absentFill } from "../evolve/filler.js";
import type { Conversion, Fill, StructPlan } from "../evolve/plan.js";
import type { ConversionCompiler } from "../evolve/steps.js";
import type { Node, Struct } from "../model/model.js";
import { Weights, weightOfIndices } from "../model/weights.js";
import { type CodecSettings, codecSettings } from "../settings.js";

/** Compiles the values of a codec. */
export class CodecSource implements ConversionCompiler {
  readonly settings: CodecSettings;
  readonly weights: Weights;
  readonly fills: { make(fill: Fill): Make };
  readonly added: { of(plan: StructPlan): number };
  readonly #decoders: DecoderCompiler;
  /** Reads skipped values. Their 64-bit integers are bigints, so that none is refused as unsafe. */
  readonly #skips = new DecoderCompiler(codecSettings({ binary: "view" }));
  readonly #plans = new Map<Struct, StructPlan>();

  constructor(settings: CodecSettings) {
    this.settings = settings;
    this.weights = new Weights(settings);
    this.#decoders = new DecoderCompiler(settings);
    // The only fills of these plans are absent values.
    this.fills = {
      make: (fill) => {
        const { kind, type } = fill as Fill & { readonly kind: "zero" | "empty" };
        return absentValueOf({ omit: new Set([kind]), type }, settings);
      },
    };
    this.added = { of: ({ to }) => weightOfIndices(to) };
  }

  converted({ from }: Conversion): Get {
    return this.#decoders.get(from);
  }

  skipped(type: Node): Get {
    return this.#skips.get(type);
  }

  /** Returns the plan of a struct. Plans of other structs are made when they are needed: structs may refer to each other. */
  plan(struct: Struct): StructPlan {
    const known = this.#plans.get(struct);
    if (known !== undefined) return known;
    const fields = struct.ordered.map((member) => {
      const ifAbsent = member.isOptional ? absentFill(member) : undefined;
      return {
        from: member,
        target: { member, conversion: this.#conversion(member.type), ifAbsent, ifUnknown: undefined },
      };
    });
    const plan: StructPlan = { from: struct, to: struct, fields, added: [] };
    this.#plans.set(struct, plan);
    return plan;
  }

  #conversion(type: Node): Conversion {
    const source = this;
    switch (type.kind) {
      case "ref":
        return {
          kind: "struct",
          from: type,
          to: type,
          get plan() {
            return source.plan(type.struct);
          },
        };
      case "union": {
        const arms = type.arms.map(({ struct }, place) => ({
          place,
          get plan() {
            return source.plan(struct);
          },
        }));
        return { kind: "union", from: type, to: type, arms };
      }
      case "array":
        return { kind: "list", from: type, to: type, element: this.#conversion(type.element) };
      case "nullable":
        return { kind: "nullable", from: type, to: type, value: this.#conversion(type.value) };
      default:
        return { kind: "leaf", from: type, to: type }; // read by its decoder, whatever it is
    }
  }
}
