/** Statements that read values of an older type as values of a new one. */
import type {
  Conversion,
  EnumerationConversion,
  Fill,
  LeafConversion,
  StructPlan,
  UnionConversion,
} from "../../../evolve/plan.js";
import { type Member, minBytesOf, type Node } from "../../../model/model.js";
import { MAX_INT32, minBytesInGo } from "../needs.js";
import { argumentsOf } from "../read-body.js";
import { depthAt, operand } from "../text.js";
import { hasPlainType, PLAIN_TYPES, pointed, widthOf } from "../types.js";
import type { OlderBody } from "./functions.js";
import { castOf, readLeaf } from "./leaves.js";
import { fillOf } from "./literals.js";

/** The most pairs that a map allocates room for in advance: an untrusted count may exceed the bytes. */
const MAX_INITIAL_PAIRS = 1024;

/** The names of the functions that read structs and unions. */
export interface PairFunctions {
  struct(plan: StructPlan): string;
  union(union: UnionConversion, unknown: string | undefined): string;
}

/** The value of a field whose older name or arm the new schema does not have. */
export interface Unknown {
  readonly member: Member;
  readonly fill: Fill;
}

/**
 * Writes the statements of conversions into one function. `level`: the number of containers around a value within its
 * field.
 */
export class GoConversionEmitter {
  readonly #body: OlderBody;
  readonly #pairs: PairFunctions;

  constructor(body: OlderBody, pairs: PairFunctions) {
    this.#body = body;
    this.#pairs = pairs;
  }

  /** Reads a value into `x`. */
  read(conversion: Conversion, x: string, level: number, unknown?: Unknown): void {
    const body = this.#body;
    switch (conversion.kind) {
      case "leaf":
        return this.#leaf(conversion, x);
      case "enumeration":
        return this.#enumeration(conversion, x, unknown);
      case "struct":
        if (body.context.isRefPointer(conversion.to)) {
          body.takeMemory(body.context.memory.countedTarget(conversion.to, conversion.from));
          body.add(`${x} = ${body.context.newOf(conversion.to)}`);
        }
        return this.struct(conversion.plan, x, depthAt(level + 1));
      case "union": {
        const needs = body.functions.needsOf(conversion.from.arms.map(({ struct }) => struct));
        const fill = unknown && fillOf(body.functions, unknown.member, unknown.fill);
        const args = argumentsOf(needs, depthAt(level + 1));
        return body.try(x, `${this.#pairs.union(conversion, fill)}(${args})`);
      }
      case "list":
        return this.#list(conversion, x, level);
      case "map":
        return this.#map(conversion, x, level);
      case "nullable": {
        const isThere = body.newName("isThere");
        body.add(`var ${isThere} bool`);
        body.try(isThere, `${body.runtime("Flag")}(b, i)`);
        return body.block(`if ${isThere}`, () => this.#pointed(conversion.value, x, level));
      }
      case "present":
        return this.#pointed(conversion.value, x, level);
    }
  }

  /** Reads a struct into `x`, by its method. */
  struct(plan: StructPlan, x: string, depth: string): void {
    const args = argumentsOf(this.#body.functions.needsOf([plan.from]), depth);
    this.#body.try("", `${x}.${this.#pairs.struct(plan)}(${args})`);
  }

  /** Reads a bool, number, text or bytes. `isThere`: whether the bounds are checked already. */
  #leaf({ from, to }: LeafConversion, x: string, isThere = false): void {
    const body = this.#body;
    if (!hasPlainType(to.kind) || body.context.ownType(to) === undefined) return readLeaf(body, from, to, x, isThere);
    const plain = body.newName("plain");
    body.add(`var ${plain} ${PLAIN_TYPES[to.kind]}`);
    readLeaf(body, from, to, plain, isThere);
    body.add(`${x} = ${body.context.owned(to, plain)}`);
  }

  /** Reads a nullable value that is present. */
  #pointed(conversion: Conversion, x: string, level: number): void {
    const { from, to } = conversion;
    if (to.kind !== "union") {
      this.#body.takeMemory(this.#body.context.memory.countedTarget(to, from));
      this.#body.add(`${x} = ${this.#body.context.newOf(to)}`);
    }
    this.read(conversion, pointed(to, x), level);
  }

  /** Assigns a pointer to a bool that is stored as a bit. */
  #pointer({ to }: Conversion, x: string, bit: string): void {
    const value = to.kind === "nullable" ? this.#body.context.owned(to.value, bit) : bit;
    this.#body.add(`${x} = ${this.#body.runtime("Pointer")}(${value})`);
  }

  #enumeration(conversion: EnumerationConversion, x: string, unknown: Unknown | undefined): void {
    const body = this.#body;
    const isMissing = conversion.places.some((place) => place < 0);
    const at = isMissing && unknown === undefined ? body.newName("at") : "";
    if (at !== "") body.add(`${at} := i`);
    const place = this.#place(conversion);
    this.#named(conversion, x, place, () => {
      if (unknown === undefined) body.fail(`${body.runtime("ReadError")}("ERR_UNKNOWN_INDEX", ${at})`);
      else {
        // `x` is the field, or the value that it points to.
        const value = fillOf(body.functions, unknown.member, unknown.fill);
        body.add(`${x.replace(/^\*/, "")} = ${value}`);
      }
    });
  }

  /** Reads the index of a name. Returns the variable that holds it. */
  #place({ from }: EnumerationConversion): string {
    const body = this.#body;
    const place = body.newName("place");
    body.add(`var ${place} uint32`);
    body.try(place, `${body.runtime("NameIndex")}(b, i, ${from.values.length})`);
    return place;
  }

  /** Sets `x` to the new name for an older index. */
  #named({ to, places }: EnumerationConversion, x: string, place: string, unknown: () => void): void {
    const body = this.#body;
    const { name, parts } = body.context.names.named(to);
    if (places.every((known, i) => known === i)) return body.add(`${x} = ${name}(${place})`);
    body.add(`switch ${place} {`);
    for (const [i, known] of places.entries()) {
      if (known < 0) continue;
      body.add(`case ${i}:`);
      body.lines.indent(() => body.add(`${x} = ${parts[known]}`));
    }
    if (places.some((known) => known < 0)) {
      body.add("default:");
      body.lines.indent(unknown);
    }
    body.add("}");
  }

  #list({ from, to, element }: Conversion & { readonly kind: "list" }, x: string, level: number): void {
    const body = this.#body;
    body.checkDepth(level + 1);
    const isInBits = from.element.kind === "bool" || from.element.kind === "nullable";
    const isInPlace = to.length > 0;
    const { memory } = body.context;
    if (from.length > 0 && !isInPlace) body.takeMemory(memory.fixedListCost(to.element, from.length, from.element));
    const n =
      from.length > 0
        ? String(from.length)
        : body.count(isInBits, minBytesInGo(from.element), memory.listCost(to.element, from.element));
    const list = isInPlace ? x : body.newName("list");
    if (!isInPlace) body.add(`${list} := make([]${body.context.type(to.element)}, ${n})`);
    if (element.kind === "leaf" && element.from.kind === "bool") {
      body.try("", `${body.runtime("Bools")}(b, i, ${isInPlace ? `${operand(list)}[:]` : list})`);
    } else this.#elements({ from, element }, list, n, isInBits, level);
    if (!isInPlace) body.add(`${x} = ${list}`);
  }

  #elements(
    { from, element }: { readonly from: Node & { readonly kind: "array" }; readonly element: Conversion },
    list: string,
    n: string,
    isInBits: boolean,
    level: number,
  ): void {
    const body = this.#body;
    const k = body.newName("k");
    const at = isInBits ? body.newName("at") : "";
    if (isInBits) {
      body.add(`${at} := i`);
      body.try("", `${body.runtime("SkipBits")}(b, i, ${n})`);
    }
    const least = minBytesInGo(from.element);
    const reserves = from.length === 0 && !isInBits && body.functions.needs.typeHasCounts(from.element);
    const isThere = `${body.runtime("Bit")}(b, ${at}, ${k})`;
    body.loop(`for ${k} := range ${list}`, n, least, reserves, () => {
      const item = `${operand(list)}[${k}]`;
      if (from.element.kind === "bool") this.#pointer(element, item, isThere);
      else if (element.kind === "nullable") {
        // A fixed list may hold old elements.
        body.lines.either(
          `if ${isThere}`,
          () => this.#pointed(element.value, item, level + 1),
          () => body.add(`${item} = nil`),
        );
      } else if (element.kind === "leaf") {
        this.#leaf(element, item, from.length === 0 && widthOf(element.from) > 0);
      } else this.read(element, item, level + 1);
    });
  }

  #map({ from, to, key, value }: Conversion & { readonly kind: "map" }, x: string, level: number): void {
    const body = this.#body;
    body.checkDepth(level + 1);
    const least = Math.min(MAX_INT32, minBytesOf(from.key) + minBytesOf(from.value));
    const n = body.count(false, least, body.context.memory.mapCost(to, from));
    const [pairs, k, last, at] = [body.newName("pairs"), body.newName("k"), body.newName("last"), body.newName("at")];
    const [keyType, valueType] = [body.context.type(to.key), body.context.type(to.value)];
    body.add(`${pairs} := make(map[${keyType}]${valueType}, min(${n}, ${MAX_INITIAL_PAIRS}))`);
    // Keys that are names ascend by index.
    const ordered = from.key.kind === "enumeration" ? "uint32" : PLAIN_TYPES[from.key.kind as keyof typeof PLAIN_TYPES];
    body.add(`var ${last} ${ordered}`);
    const reserves = body.functions.needs.typeHasCounts(from.value);
    body.loop(`for ${k} := range ${n}`, n, least, reserves, () => {
      body.add(`${at} := i`);
      const ascend = (found: string) => {
        body.block(`if ${k} > 0 && ${found} <= ${last}`, () =>
          body.fail(`${body.runtime("ReadError")}("ERR_MAP_ORDER", ${at})`),
        );
        body.add(`${last} = ${found}`);
      };
      const entry = this.#key(key, at, ascend);
      const item = body.newName("value");
      body.add(`var ${item} ${valueType}`);
      this.read(value, item, level + 1);
      body.add(`${pairs}[${entry}] = ${item}`);
    });
    body.add(`${x} = ${pairs}`);
  }

  /** Reads a key. Returns its expression. `ascend` checks that the key is above the previous one. */
  #key(conversion: Conversion, at: string, ascend: (found: string) => void): string {
    const body = this.#body;
    const key = body.newName("key");
    if (conversion.kind === "enumeration") {
      const place = this.#place(conversion);
      body.add(`var ${key} ${body.context.type(conversion.to)}`);
      // An unknown name is reported before a wrong order of keys.
      this.#named(conversion, key, place, () => body.fail(`${body.runtime("ReadError")}("ERR_UNKNOWN_INDEX", ${at})`));
      ascend(place);
      return key;
    }
    const { from, to } = conversion as Conversion & { readonly kind: "leaf" };
    body.add(`var ${key} ${PLAIN_TYPES[from.kind as keyof typeof PLAIN_TYPES]}`);
    readLeaf(body, from, from, key);
    ascend(key);
    const cast = castOf(from, to);
    return body.context.owned(to, cast === "" ? key : `${cast}(${key})`);
  }
}
