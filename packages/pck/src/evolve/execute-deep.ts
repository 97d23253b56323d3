/**
 * Reads values over a plan that are nested deeper than recursion may go: slower than execute.ts, with the same checks
 * in the same order.
 */
import type { Get } from "../closures/closure.js";
import { readDeepList, readDeepMap } from "../closures/read-deep-containers.js";
import { holdsStructs, type Task } from "../closures/trampoline.js";
import { bitAt, checkDepth, countElements, type PackReader, readBits, readPresent } from "../runtime/reader.js";
import type { Make } from "./fill-values.js";
import { mapResult } from "./map-result.js";
import type { Conversion, StructPlan, UnionConversion } from "./plan.js";
import type { ConversionCompiler, Step, StructSteps } from "./steps.js";

/** The part of a converter of whole plans that the reader of deep plans calls. */
interface PlanConverter extends ConversionCompiler {
  stepsOf(plan: StructPlan): StructSteps;
  armAt(r: PackReader, union: UnionConversion, depth: number, unknown: Make | undefined): StructSteps | undefined;
  key(conversion: Conversion): Get;
}

/** Reads the structs of a plan as tasks. */
export class DeepConverter {
  /** Reads values that contain no structs, and skipped values. */
  readonly #converter: PlanConverter;

  constructor(converter: PlanConverter) {
    this.#converter = converter;
  }

  /** Reads a struct whose own depth is `depth`. */
  *struct(r: PackReader, steps: StructSteps, depth: number): Task {
    const { create, bits, bools, required, optionals, added } = steps;
    checkDepth(r, depth);
    countElements(r, steps.weight);
    const start = readBits(r, bits);
    const value = create();
    for (const { name, bit } of bools) value[name] = bitAt(r, start, bit);
    for (const step of required) {
      const member = yield this.#step(r, step, depth);
      if (step.name !== undefined) value[step.name] = member;
    }
    for (const [i, step] of optionals.entries()) {
      const isPresent = bitAt(r, start, i);
      if (isPresent) countElements(r, step.weight);
      const member = isPresent ? yield this.#step(r, step, depth) : step.absent(r.pos);
      if (step.name !== undefined) value[step.name] = member;
    }
    for (const { name, make } of added) value[name] = make(r.pos);
    return value;
  }

  *#step(r: PackReader, { get, adjust, conversion, unknown }: Step, depth: number): Task {
    const { pos } = r;
    const isDeep = conversion !== undefined && holdsStructs(conversion.from);
    const value = isDeep ? yield this.#value(r, conversion, depth, unknown) : get(r, depth);
    return adjust === undefined ? value : adjust(value, pos);
  }

  /** Reads a value that contains structs, within a struct or container at `depth`. */
  *#value(r: PackReader, conversion: Conversion, depth: number, unknown?: Make): Task {
    const { weights, settings } = this.#converter;
    const inner = depth + 1;
    switch (conversion.kind) {
      case "struct":
        return yield this.struct(r, this.#converter.stepsOf(conversion.plan), inner);
      case "union": {
        const start = r.pos;
        const steps = this.#converter.armAt(r, conversion, inner, unknown);
        return steps === undefined ? unknown!(start) : yield this.struct(r, steps, inner);
      }
      case "list": {
        const { from, element } = conversion;
        const item = element.kind === "nullable" ? element.value : element;
        return yield readDeepList(r, from, weights, inner, () => this.#value(r, item, inner));
      }
      case "map": {
        const { from, key, value } = conversion;
        const get = () => this.#value(r, value, inner);
        const map = yield readDeepMap(r, from, weights, inner, this.#converter.key(key), get);
        return mapResult(conversion, settings)(map as Map<unknown, unknown>);
      }
      case "nullable":
        return readPresent(r, weights.nullable(conversion.from.value))
          ? yield this.#value(r, conversion.value, depth)
          : null;
      case "present":
        return yield this.#value(r, conversion.value, depth);
      default:
        return this.#converter.converted(conversion, unknown)(r, depth);
    }
  }
}
