/** Source text that reads values of an older type as values of a new one. */
import { isNumber, isObjectMap, typedArrayOf } from "../../../closures/representation.js";
import { isWide } from "../../../evolve/numbers.js";
import type {
  Conversion,
  EnumerationConversion,
  Fill,
  NodeOf,
  StructPlan,
  UnionConversion,
} from "../../../evolve/plan.js";
import { numberReader } from "../../../generate/read-values.js";
import { inType } from "../../../generate/types.js";
import { minBytesOf, type Node } from "../../../model/model.js";
import { isDeepUnion } from "./functions.js";
import type { OlderBody } from "./older-body.js";

/** The names of the functions that read structs and unions. */
export interface PairFunctions {
  struct(plan: StructPlan): string;
  union(union: UnionConversion, unknown: Fill | undefined, owner: string): string;
}

/**
 * Writes the text of conversions into one function. `level`: the number of containers around a value within its
 * field.
 */
export class JavaScriptConversionEmitter {
  readonly #body: OlderBody;
  readonly #pairs: PairFunctions;

  constructor(body: OlderBody, pairs: PairFunctions) {
    this.#body = body;
    this.#pairs = pairs;
  }

  /**
   * Reads a value into a new constant. `unknown`: the value for an older name or arm that the new schema does not
   * have.
   */
  declare(name: string, conversion: Conversion, level: number, unknown?: Fill): void {
    const { code, module } = this.#body;
    switch (conversion.kind) {
      case "list":
        return this.#list(name, conversion, level);
      case "map":
        return this.#map(name, conversion, level);
      case "present":
        return this.declare(name, conversion.value, level);
      case "nullable": {
        if (isExpression(conversion.value)) break;
        code.line(`let ${name}${module.typed(`: ${inType(module, conversion.to, "out")}`)} = null;`);
        code.open(`if (${this.#presence(conversion.from.value)}) {`);
        this.assign(name, conversion.value, level);
        return code.close();
      }
    }
    code.line(`const ${name} = ${this.expression(conversion, level, unknown)};`);
  }

  /** Reads a value into a variable. */
  assign(name: string, conversion: Conversion, level: number, unknown?: Fill): void {
    if (isExpression(conversion)) this.#body.code.line(`${name} = ${this.expression(conversion, level, unknown)};`);
    else this.#body.code.line(`${name} = ${this.#value(conversion, level)};`);
  }

  /** Writes the statements that read a value, if it needs any. Returns an expression, which must be evaluated next. */
  #value(conversion: Conversion, level: number): string {
    if (isExpression(conversion)) return this.expression(conversion, level);
    const name = this.#body.names.unique(
      conversion.kind === "list" ? "list" : conversion.kind === "map" ? "map" : "item",
    );
    this.declare(name, conversion, level);
    return name;
  }

  /** Returns the expression that reads a value for which {@link isExpression} is true. */
  expression(conversion: Conversion, level: number, unknown?: Fill): string {
    const { functions, owner } = this.#body;
    switch (conversion.kind) {
      case "leaf":
        return this.#leaf(conversion.from, conversion.to, false);
      case "enumeration":
        return this.#name(conversion, unknown);
      case "struct": {
        const { plan } = conversion;
        return `${this.#pairs.struct(plan)}(r${this.#body.depthArgument(plan.from, level + 1)})`;
      }
      case "union": {
        const isDeep = isDeepUnion(functions.traits, conversion.from);
        return `${this.#pairs.union(conversion, unknown, owner)}(r${this.#body.depthArgument(isDeep, level + 1)})`;
      }
      case "nullable":
        return `${this.#presence(conversion.from.value)} ? ${this.expression(conversion.value, level)} : null`;
      case "present":
        return this.expression(conversion.value, level);
      default:
        throw new TypeError(`${conversion.kind} needs statements`);
    }
  }

  #presence(value: Node): string {
    return this.#body.presence(value, this.#body.module.weights);
  }

  #leaf(from: Node, to: Node, isKey: boolean): string {
    const { module } = this.#body;
    if (from.kind === "bytes" && module.target.binary === "view") {
      return `${this.#body.use("readBinaryView")}(r${from.length === 0 ? "" : `, ${from.length}`})`;
    }
    if (isWide(from.kind)) return `${numberReader(module, from, isKey)}(r)`;
    const isBig = isWide(to.kind) && (isKey || module.target.int64 === "bigint");
    return isBig ? `BigInt(${this.#body.leaf(from)})` : this.#body.leaf(from);
  }

  #name({ from, to, places }: EnumerationConversion, unknown: Fill | undefined): string {
    const { functions, module, owner } = this.#body;
    const names = functions.namesAt(from.values, places, to, owner);
    const isAll = places.every((place) => place >= 0);
    const place = `${names}[${this.#body.use("readIndex")}(r, ${from.values.length})]`;
    if (isAll) return `${place}${module.typed("!")}`;
    if (unknown !== undefined) return `${place} ?? ${functions.fill(unknown, "r.pos")}`;
    return `${this.#body.use("readName")}(r, ${names})`;
  }

  #list(name: string, { from, to, element }: Conversion & { readonly kind: "list" }, level: number): void {
    const { code, module, names } = this.#body;
    this.#body.checkDepth(level + 1);
    const count = this.#body.count(from, module.weights);
    if (from.element.kind === "bool") {
      return code.line(`const ${name} = ${this.#body.use("readBools")}(r, ${count});`);
    }
    const Typed = typedArrayOf(to.element, module.target);
    const list = Typed === undefined ? name : names.unique("list");
    const item = inType(module, to.element, "out");
    const type = /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
    const isBits = element.kind === "nullable";
    const bits = isBits ? names.unique("bits") : "";
    if (isBits) code.line(`const ${bits} = ${this.#body.use("readBits")}(r, ${count});`);
    code.line(`const ${list}${module.typed(`: ${type}`)} = [];`);
    const reserves = from.length === 0 && !isBits && this.#body.reserves(from.element);
    this.#body.loop(count, minBytesOf(from.element), reserves, (i) => {
      if (!isBits) return code.line(`${list}.push(${this.#value(element, level + 1)});`);
      const isThere = `${this.#body.use("bitAt")}(r, ${bits}, ${i})`;
      const weight = module.weights.nullable(element.from.value);
      if (weight === 0 && isExpression(element.value)) {
        return code.line(`${list}.push(${isThere} ? ${this.expression(element.value, level + 1)} : null);`);
      }
      code.open(`if (${isThere}) {`);
      this.#body.countElements(weight);
      code.line(`${list}.push(${this.#value(element.value, level + 1)});`);
      code.reopen("} else {");
      code.line(`${list}.push(null);`);
      code.close();
    });
    if (Typed !== undefined) code.line(`const ${name} = new ${Typed.name}(${list});`);
  }

  #map(
    name: string,
    { from, to, key, value, isReordered }: Conversion & { readonly kind: "map" },
    level: number,
  ): void {
    const { code, module, names } = this.#body;
    const isObject = isObjectMap(to, module.target);
    this.#body.checkDepth(level + 1);
    const min = minBytesOf(from.key) + minBytesOf(from.value);
    const count = names.unique("count");
    code.line(`const ${count} = ${this.#body.use("readMapCount")}(r, ${min}, ${module.weights.pair(from)});`);
    const map = isObject || isReordered ? names.unique("map") : name;
    const types = module.typed(`<${inType(module, to.key, "key")}, ${inType(module, to.value, "out")}>`);
    code.line(`const ${map} = new Map${types}();`);
    const last = names.unique("last");
    code.line(`let ${last} = ${firstOf(to.key, key)};`);
    const flood = isNumber(from.key) ? names.unique("flood") : "";
    if (flood !== "") code.line(`const ${flood} = ${this.#body.use("keyFlood")}(${count});`);
    this.#body.loop(count, min, this.#body.reserves(from.value), (i) => {
      const entry = this.#key(key, i, last, flood);
      code.line(`${map}.set(${entry}, ${this.#value(value, level + 1)});`);
    });
    if (map === name) return;
    const owner = `${this.#body.owner}Key`;
    const entries = isReordered
      ? `${this.#body.use("byPlace")}([...${map}], ${module.placesOf((to.key as NodeOf<"enumeration">).values, owner)})`
      : map;
    code.line(`const ${name} = ${isObject ? `${this.#body.use("recordOf")}(${entries})` : `new Map(${entries})`};`);
  }

  /** Reads a key and checks that it is above the previous one. Returns its expression. */
  #key(conversion: Conversion, i: string, last: string, flood: string): string {
    const { code, functions, module, names, owner } = this.#body;
    const start = names.unique("start");
    code.line(`const ${start} = r.pos;`);
    if (conversion.kind !== "enumeration") {
      const { from, to } = conversion as Conversion & { readonly kind: "leaf" };
      const key = names.unique("key");
      code.line(`const ${key} = ${this.#leaf(from, to, true)};`);
      this.#body.ascend(from, i, last, key, start);
      if (flood !== "") code.line(`if (${flood} !== null) ${flood}.add(${key}, ${start});`);
      return key;
    }
    const { from, to, places } = conversion;
    const place = names.unique("place");
    code.line(`const ${place} = ${this.#body.use("readIndex")}(r, ${from.values.length});`);
    const name = `${functions.namesAt(from.values, places, to, `${owner}Key`)}[${place}]`;
    if (places.every((at) => at >= 0)) {
      this.#body.ascend(from, i, last, place, start);
      return `${name}${module.typed("!")}`;
    }
    // An unknown name is reported before a wrong order of keys.
    const key = names.unique("key");
    code.line(`const ${key} = ${name} ?? ${this.#body.use("noSuchName")}(${start});`);
    this.#body.ascend(from, i, last, place, start);
    return key;
  }
}

/** True if one expression reads the value. Lists and maps need statements. */
export function isExpression(conversion: Conversion): boolean {
  if (conversion.kind === "nullable" || conversion.kind === "present") return isExpression(conversion.value);
  return conversion.kind !== "list" && conversion.kind !== "map";
}

/** Returns the initial value of the previous key. It is never compared, but decides the variable's type. */
function firstOf(to: Node, key: Conversion): string {
  if (to.kind === "utf8" || to.kind === "ascii") return '""';
  return isWide(to.kind) && key.kind === "leaf" ? "0n" : "0";
}
