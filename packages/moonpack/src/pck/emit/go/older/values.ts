/** Lines that read values of an older type as those of a new one. */
import type {
  Conversion,
  EnumerationConversion,
  Fill,
  LeafConversion,
  StructPlan,
  UnionConversion,
} from "../../../evolve/plan.js";
import { type Member, minBytesOf, type Node } from "../../../model/model.js";
import { leastOf, MAX_LEAST } from "../plan.js";
import { argumentsOf } from "../read-body.js";
import { depthAt, operand, times } from "../text.js";
import { isPlain, PLAIN_TYPES, pointed, widthOf } from "../types.js";
import type { OlderBody } from "./functions.js";
import { castOf, readLeaf } from "./leaves.js";
import { fillOf } from "./literals.js";

/** A map makes room for so many pairs at once; what a count says beyond that, the bytes have to prove. */
const MAX_ROOM = 1024;

/** The functions that read structs and unions, by their names. */
export interface PairFunctions {
  struct(plan: StructPlan): string;
  union(union: UnionConversion, unknown: string | undefined): string;
}

/** What a name or arm becomes that there is no more, in a field. */
export interface Unknown {
  readonly member: Member;
  readonly fill: Fill;
}

/** Writes the lines of conversions into one function. `level`: containers of the field around a value. */
export class ValueReader {
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
        if (body.shared.isRefPointer(conversion.to)) body.add(`${x} = ${body.shared.newOf(conversion.to)}`);
        return this.struct(conversion.plan, x, depthAt(level + 1));
      case "union": {
        const { plan } = body.functions;
        const { from } = conversion;
        const fill = unknown && fillOf(body.functions, unknown.member, unknown.fill);
        const args = argumentsOf(plan.typeIsDeep(from), plan.typeHasCounts(from), depthAt(level + 1));
        return body.try(x, `${this.#pairs.union(conversion, fill)}(${args})`);
      }
      case "list":
        return this.#list(conversion, x, level);
      case "map":
        return this.#map(conversion, x, level);
      case "nullable": {
        const isThere = body.fresh("isThere");
        body.add(`var ${isThere} bool`);
        body.try(isThere, `${body.run("Flag")}(b, i)`);
        return body.block(`if ${isThere}`, () => this.#pointed(conversion.value, x, level));
      }
      case "present":
        return this.#pointed(conversion.value, x, level);
    }
  }

  /** Reads a struct into `x`, by its method. */
  struct(plan: StructPlan, x: string, depth: string): void {
    const { plan: needs } = this.#body.functions;
    const args = argumentsOf(needs.isDeep(plan.from), needs.hasCounts(plan.from), depth);
    this.#body.try("", `${x}.${this.#pairs.struct(plan)}(${args})`);
  }

  /** Reads a bool, number, text or bytes. `isThere`: have the bounds been looked at? */
  #leaf({ from, to }: LeafConversion, x: string, isThere = false): void {
    const body = this.#body;
    if (!isPlain(to.kind) || body.shared.ownType(to) === undefined) return readLeaf(body, from, to, x, isThere);
    const plain = body.fresh("plain");
    body.add(`var ${plain} ${PLAIN_TYPES[to.kind]}`);
    readLeaf(body, from, to, plain, isThere);
    body.add(`${x} = ${body.shared.owned(to, plain)}`);
  }

  /** Reads a value that may be nil and is there. */
  #pointed(conversion: Conversion, x: string, level: number): void {
    const { to } = conversion;
    if (to.kind !== "union") this.#body.add(`${x} = ${this.#body.shared.newOf(to)}`);
    this.read(conversion, pointed(to, x), level);
  }

  /** A pointer to a bool that is a bit. */
  #pointer({ to }: Conversion, x: string, bit: string): void {
    const value = to.kind === "nullable" ? this.#body.shared.owned(to.value, bit) : bit;
    this.#body.add(`${x} = ${this.#body.run("Pointer")}(${value})`);
  }

  #enumeration(conversion: EnumerationConversion, x: string, unknown: Unknown | undefined): void {
    const body = this.#body;
    const isMissing = conversion.places.some((place) => place < 0);
    const at = isMissing && unknown === undefined ? body.fresh("at") : "";
    if (at !== "") body.add(`${at} := i`);
    const place = this.#place(conversion);
    this.#named(conversion, x, place, () => {
      if (unknown === undefined) body.fail(`${body.run("Fail")}("ERR_UNKNOWN_INDEX", ${at})`);
      else {
        // The variable is the field, or what it points to.
        const value = fillOf(body.functions, unknown.member, unknown.fill);
        body.add(`${x.replace(/^\*/, "")} = ${value}`);
      }
    });
  }

  /** Reads the place of a name. */
  #place({ from }: EnumerationConversion): string {
    const body = this.#body;
    const place = body.fresh("place");
    body.add(`var ${place} uint32`);
    body.try(place, `${body.run("Place")}(b, i, ${from.values.length})`);
    return place;
  }

  /** Sets `x` to the name at an older place. */
  #named({ to, places }: EnumerationConversion, x: string, place: string, unknown: () => void): void {
    const body = this.#body;
    const { name, parts } = body.shared.names.named(to);
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
    const n = from.length > 0 ? String(from.length) : body.count(isInBits, leastOf(from.element));
    const isInPlace = to.length > 0;
    const list = isInPlace ? x : body.fresh("list");
    if (!isInPlace) body.add(`${list} := make([]${body.shared.type(to.element)}, ${n})`);
    if (element.kind === "leaf" && element.from.kind === "bool") {
      body.try("", `${body.run("Bools")}(b, i, ${isInPlace ? `${operand(list)}[:]` : list})`);
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
    const k = body.fresh("k");
    const at = isInBits ? body.fresh("at") : "";
    if (isInBits) {
      body.add(`${at} := i`);
      body.try("", `${body.run("Bits")}(b, i, ${n})`);
    }
    const least = leastOf(from.element);
    const owes = from.length === 0 && !isInBits && body.functions.plan.typeHasCounts(from.element);
    if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
    const isThere = `${body.run("Bit")}(b, ${at}, ${k})`;
    body.block(`for ${k} := range ${list}`, () => {
      const item = `${operand(list)}[${k}]`;
      if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
      if (from.element.kind === "bool") this.#pointer(element, item, isThere);
      else if (element.kind === "nullable") {
        // What is read into may hold old elements.
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
    const least = Math.min(MAX_LEAST, minBytesOf(from.key) + minBytesOf(from.value));
    const n = body.count(false, least);
    const [pairs, k, last, at] = [body.fresh("pairs"), body.fresh("k"), body.fresh("last"), body.fresh("at")];
    const [keyType, valueType] = [body.shared.type(to.key), body.shared.type(to.value)];
    body.add(`${pairs} := make(map[${keyType}]${valueType}, min(${n}, ${MAX_ROOM}))`);
    // A name's place is what ascends.
    const ordered = from.key.kind === "enumeration" ? "uint32" : PLAIN_TYPES[from.key.kind as keyof typeof PLAIN_TYPES];
    body.add(`var ${last} ${ordered}`);
    const owes = body.functions.plan.typeHasCounts(from.value);
    if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
    body.block(`for ${k} := range ${n}`, () => {
      if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
      body.add(`${at} := i`);
      const ascend = (found: string) => {
        body.block(`if ${k} > 0 && ${found} <= ${last}`, () =>
          body.fail(`${body.run("Fail")}("ERR_MAP_ORDER", ${at})`),
        );
        body.add(`${last} = ${found}`);
      };
      const entry = this.#key(key, at, ascend);
      const item = body.fresh("value");
      body.add(`var ${item} ${valueType}`);
      this.read(value, item, level + 1);
      body.add(`${pairs}[${entry}] = ${item}`);
    });
    body.add(`${x} = ${pairs}`);
  }

  /** Reads a key; answers it. `ascend` checks that what is read is above the one before. */
  #key(conversion: Conversion, at: string, ascend: (found: string) => void): string {
    const body = this.#body;
    const key = body.fresh("key");
    if (conversion.kind === "enumeration") {
      const place = this.#place(conversion);
      body.add(`var ${key} ${body.shared.type(conversion.to)}`);
      // A name that there is no more comes before the order of keys.
      this.#named(conversion, key, place, () => body.fail(`${body.run("Fail")}("ERR_UNKNOWN_INDEX", ${at})`));
      ascend(place);
      return key;
    }
    const { from, to } = conversion as Conversion & { readonly kind: "leaf" };
    body.add(`var ${key} ${PLAIN_TYPES[from.kind as keyof typeof PLAIN_TYPES]}`);
    readLeaf(body, from, from, key);
    ascend(key);
    const cast = castOf(from, to);
    return body.shared.owned(to, cast === "" ? key : `${cast}(${key})`);
  }
}
