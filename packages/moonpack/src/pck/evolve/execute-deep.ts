/** Reading over a plan what is nested deeper than recursion may go: slower than execute.ts, with the same checks in the same order. */
import {
  bitAt,
  checkDepth,
  type PackReader,
  readBitCount,
  readBits,
  readCount,
  readFlag,
  refused,
} from "../../bytes/pack-reader.js";
import { type Deep, holdsStructs } from "../codec/deep.js";
import { comparisonOf } from "../codec/write.js";
import { minBytesOf } from "../model/model.js";
import type { Converter } from "./execute.js";
import type { Make } from "./fill-values.js";
import { mapAnswer } from "./map-answer.js";
import type { Conversion, ListConversion, MapConversion } from "./plan.js";
import type { Step, StructSteps } from "./steps.js";

/** Reads the structs of a plan. */
export class DeepConverter {
  /** Reads what holds no structs, and what is skipped. */
  readonly #converter: Converter;

  constructor(converter: Converter) {
    this.#converter = converter;
  }

  /** A struct that lies at `depth` itself. */
  *struct(r: PackReader, { create, bits, bools, required, optionals, added }: StructSteps, depth: number): Deep {
    checkDepth(r, depth);
    const start = readBits(r, bits);
    const value = create();
    for (const { name, bit } of bools) value[name] = bitAt(r, start, bit);
    for (const step of required) {
      const member = yield this.#step(r, step, depth);
      if (step.name !== undefined) value[step.name] = member;
    }
    for (const [i, step] of optionals.entries()) {
      const member = bitAt(r, start, i) ? yield this.#step(r, step, depth) : step.absent(r.pos);
      if (step.name !== undefined) value[step.name] = member;
    }
    for (const { name, make } of added) value[name] = make(r.pos);
    return value;
  }

  *#step(r: PackReader, { get, settle, conversion, unknown }: Step, depth: number): Deep {
    const { pos } = r;
    const isDeep = conversion !== undefined && holdsStructs(conversion.from);
    const value = isDeep ? yield this.#value(r, conversion, depth, unknown) : get(r, depth);
    return settle === undefined ? value : settle(value, pos);
  }

  /** A value that holds structs, and lies in a struct or container at `depth`. */
  *#value(r: PackReader, conversion: Conversion, depth: number, unknown?: Make): Deep {
    switch (conversion.kind) {
      case "struct":
        return yield this.struct(r, this.#converter.stepsOf(conversion.plan), depth + 1);
      case "union": {
        const start = r.pos;
        const steps = this.#converter.armAt(r, conversion, depth + 1, unknown);
        return steps === undefined ? unknown!(start) : yield this.struct(r, steps, depth + 1);
      }
      case "list":
        return yield this.#list(r, conversion, depth + 1);
      case "map":
        return yield this.#map(r, conversion, depth + 1);
      case "nullable":
        return readFlag(r) ? yield this.#value(r, conversion.value, depth) : null;
      case "present":
        return yield this.#value(r, conversion.value, depth);
      default:
        return this.#converter.converted(conversion, unknown)(r, depth);
    }
  }

  *#list(r: PackReader, { from, element }: ListConversion, depth: number): Deep {
    checkDepth(r, depth);
    const { length } = from;
    const list: unknown[] = [];
    if (element.kind === "nullable") {
      const count = length === 0 ? readBitCount(r) : length;
      const start = readBits(r, count);
      for (let i = 0; i < count; i++) list.push(bitAt(r, start, i) ? yield this.#value(r, element.value, depth) : null);
      return list;
    }
    const min = length === 0 ? minBytesOf(from.element) : 0;
    const count = length === 0 ? readCount(r, min) : length;
    r.owed += count * min;
    for (let i = 0; i < count; i++) {
      r.owed -= min;
      list.push(yield this.#value(r, element, depth));
    }
    return list;
  }

  *#map(r: PackReader, conversion: MapConversion, depth: number): Deep {
    checkDepth(r, depth);
    const { from, key, value } = conversion;
    const min = minBytesOf(from.key) + minBytesOf(from.value);
    const count = readCount(r, min);
    const getKey = this.#converter.key(key);
    const compare = comparisonOf(from.key);
    const map = new Map<unknown, unknown>();
    let last: unknown;
    r.owed += count * min;
    for (let i = 0; i < count; i++) {
      r.owed -= min;
      const { pos } = r;
      const next = getKey(r, depth);
      if (i > 0 && compare(last, next) >= 0) throw refused("ERR_MAP_ORDER", "keys that do not ascend", pos);
      last = next;
      map.set(next, yield this.#value(r, value, depth));
    }
    return mapAnswer(conversion, this.#converter.settings)(map);
  }
}
