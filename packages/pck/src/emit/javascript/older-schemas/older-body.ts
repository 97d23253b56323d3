/** The body of a function that reads an older struct or union: names, depth, counts. */
import { isObjectMap } from "../../../closures/representation.js";
import { Code } from "../../../generate/code.js";
import { type Module, READERS, type RuntimeName } from "../../../generate/module.js";
import type { Names } from "../../../generate/names.js";
import { minBytesOf, type Node, type Struct } from "../../../model/model.js";
import type { Weights } from "../../../model/weights.js";
import type { OlderFunctions } from "./functions.js";

/** A body while it is written. Each statement advances `r.pos`. */
export class OlderBody {
  readonly code = new Code();
  readonly functions: OlderFunctions;
  readonly module: Module;
  readonly names: Names;
  /** Whether the function has a parameter `depth`, the depth of its struct. */
  readonly isDeep: boolean;
  /** The beginning of names for functions and constants. */
  owner = "";

  constructor(functions: OlderFunctions, isDeep: boolean) {
    this.functions = functions;
    this.module = functions.module;
    this.names = this.module.names.inner();
    for (const local of ["r", "depth"]) this.names.reserve(local);
    this.isDeep = isDeep;
  }

  use(name: RuntimeName): RuntimeName {
    return this.module.use(name);
  }

  /** Returns the argument for the depth of a value `levels` below the struct; "" if it takes none. */
  depthArgument(struct: Struct | boolean, levels: number): string {
    const isDeep = typeof struct === "boolean" ? struct : this.functions.traits.isDeep(struct);
    return isDeep ? `, depth${levels === 0 ? "" : ` + ${levels}`}` : "";
  }

  /** Checks the depth of a struct or container `levels` below the struct. */
  checkDepth(levels: number): void {
    if (this.isDeep) this.code.line(`${this.use("checkDepth")}(r${this.depthArgument(true, levels)});`);
  }

  /** Returns the expression that reads bytes, text or a number. Integers are not converted: 64 bits give a bigint. */
  leaf(node: Node): string {
    const length = node.kind === "bytes" || node.kind === "ascii" ? node.length : 0;
    const read =
      node.kind === "bytes" ? "readBinary" : node.kind === "ascii" ? "readAsciiText" : READERS.get(node.kind)!;
    return `${this.use(read)}(r${length === 0 ? "" : `, ${length}`})`;
  }

  /** Counts elements for the value that begins here. */
  countElements(weight: number): void {
    if (this.functions.counts && weight > 0) this.code.line(`${this.use("countElements")}(r, ${weight});`);
  }

  /** Returns the expression that reads whether a nullable value is present. */
  presence(value: Node, weights: Weights): string {
    const weight = weights.nullable(value);
    return this.functions.counts && weight > 0
      ? `${this.use("readPresent")}(r, ${weight})`
      : `${this.use("readFlag")}(r)`;
  }

  /** Returns the number of elements: a constant that is read, or the length in the type. */
  count(node: Node & { readonly kind: "array" }, weights: Weights): string {
    const { element, length } = node;
    if (length > 0) return String(length);
    const count = this.names.unique("count");
    const isBits = element.kind === "bool" || element.kind === "nullable";
    const read = isBits
      ? `${this.use("readBitCount")}(r)`
      : `${this.use("readCount")}(r, ${minBytesOf(element)}, ${weights.of(element)})`;
    this.code.line(`const ${count} = ${read};`);
    return count;
  }

  /**
   * Writes a loop over elements or pairs of at least `min` bytes. `reserves`: whether the loop tracks the bytes that the
   * remaining elements need, because elements contain counts.
   */
  loop(count: string, min: number, reserves: boolean, each: (i: string) => void): void {
    const i = this.names.unique("i");
    if (reserves) this.code.line(`r.reserved += ${count}${min === 1 ? "" : ` * ${min}`};`);
    this.code.open(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`);
    if (reserves) this.code.line(`r.reserved -= ${min};`);
    each(i);
    this.code.close();
  }

  /** True if a loop over these elements tracks the bytes that it reserves. */
  reserves(element: Node): boolean {
    return this.functions.traits.hasCounts(element);
  }

  /** Returns the test whether the value that was read means absent: 0, or empty. `value`: an expression, or a count. */
  isAbsent(kind: "zero" | "empty", type: Node, value: string, isBig: boolean): string {
    if (kind === "zero") {
      if (type.kind === "f32" || type.kind === "f64") return `Object.is(${value}, 0)`;
      return `${value} === 0${isBig ? "n" : ""}`;
    }
    switch (type.kind) {
      case "bytes":
      case "array":
        return `${value}.length === 0`;
      case "map":
        return `${this.use(isObjectMap(type, this.module.target) ? "isEmptyRecord" : "isEmptyMap")}(${value})`;
      default:
        return `${value} === ""`;
    }
  }

  /** Checks that a key, or its index, is above the previous one. */
  ascend(node: Node, i: string, last: string, key: string, start: string): void {
    const isText = node.kind === "utf8" || node.kind === "ascii";
    const isBelow = isText ? `${this.use("compareText")}(${last}, ${key}) >= 0` : `${key} <= ${last}`;
    this.code.line(`if (${i} > 0 && ${isBelow}) throw ${this.use("notAscending")}(${start});`, `${last} = ${key};`);
  }

  /** Returns the text of the whole function. `type`: its result. */
  functionText(name: string, type: string): string {
    const { module } = this;
    const code = new Code();
    const depth = this.isDeep ? `, depth${module.typed(": number")}` : "";
    code.open(`function ${name}(r${module.typed(": PackReader")}${depth})${module.typed(`: ${type}`)} {`);
    for (const line of this.code.toString().trimEnd().split("\n")) code.line(line);
    code.close();
    return code.toString();
  }
}
