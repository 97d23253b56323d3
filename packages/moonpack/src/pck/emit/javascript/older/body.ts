/** The body of a function that reads, and what its parts share: names, depth, what open containers owe. */
import { isObjectMap } from "../../../codec/presence.js";
import { Code } from "../../../generate/code.js";
import { type Module, READERS, type RuntimeName } from "../../../generate/module.js";
import type { Names } from "../../../generate/names.js";
import { minBytesOf, type Node, type Struct } from "../../../model/model.js";
import type { OlderFunctions } from "./functions.js";

/** A body while it is written. What is read goes on at `r.pos`. */
export class Body {
  readonly code = new Code();
  readonly functions: OlderFunctions;
  readonly module: Module;
  readonly names: Names;
  /** Has the function a `depth`, which is that of its struct? */
  readonly isDeep: boolean;
  /** What names of functions and constants are made from. */
  owner = "";

  constructor(functions: OlderFunctions, isDeep: boolean) {
    this.functions = functions;
    this.module = functions.module;
    this.names = this.module.names.inner();
    for (const local of ["r", "depth"]) this.names.take(local);
    this.isDeep = isDeep;
  }

  use(name: RuntimeName): RuntimeName {
    return this.module.use(name);
  }

  /** The depth of what lies so many levels below the struct, as another argument; "" where nobody counts. */
  depthArgument(struct: Struct | boolean, levels: number): string {
    const isDeep = typeof struct === "boolean" ? struct : this.functions.facts.isDeep(struct);
    return isDeep ? `, depth${levels === 0 ? "" : ` + ${levels}`}` : "";
  }

  /** A struct or container begins so many levels below the struct. */
  checkDepth(levels: number): void {
    if (this.isDeep) this.code.line(`${this.use("checkDepth")}(r${this.depthArgument(true, levels)});`);
  }

  /** The expression that reads bytes, text or a number; integers as they are, of 64 bits as bigints. */
  leaf(node: Node): string {
    const length = node.kind === "bytes" || node.kind === "ascii" ? node.length : 0;
    const read =
      node.kind === "bytes" ? "readBinary" : node.kind === "ascii" ? "readAsciiText" : READERS.get(node.kind)!;
    return `${this.use(read)}(r${length === 0 ? "" : `, ${length}`})`;
  }

  /** The number of elements: a constant that is read, or what the type says. */
  count(node: Node & { readonly kind: "array" }): string {
    const { element, length } = node;
    if (length > 0) return String(length);
    const count = this.names.of("count");
    const isBits = element.kind === "bool" || element.kind === "nullable";
    const read = isBits ? `${this.use("readBitCount")}(r)` : `${this.use("readCount")}(r, ${minBytesOf(element)})`;
    this.code.line(`const ${count} = ${read};`);
    return count;
  }

  /** A loop over elements or pairs of `min` bytes; `owes`: are they owed, since there are counts within? */
  loop(count: string, min: number, owes: boolean, each: (i: string) => void): void {
    const i = this.names.of("i");
    if (owes) this.code.line(`r.owed += ${count}${min === 1 ? "" : ` * ${min}`};`);
    this.code.open(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`);
    if (owes) this.code.line(`r.owed -= ${min};`);
    each(i);
    this.code.close();
  }

  /** Do elements of a type owe their bytes? */
  owes(element: Node): boolean {
    return this.functions.facts.hasCounts(element);
  }

  /** The test that what was read means absent: 0, or empty. `value`: an expression, or a count. */
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

  /** Checks that a key, or its place, is above the one before. */
  ascend(node: Node, i: string, last: string, key: string, start: string): void {
    const isText = node.kind === "utf8" || node.kind === "ascii";
    const isBelow = isText ? `${this.use("compareText")}(${last}, ${key}) >= 0` : `${key} <= ${last}`;
    this.code.line(`if (${i} > 0 && ${isBelow}) throw ${this.use("notAscending")}(${start});`, `${last} = ${key};`);
  }
}
