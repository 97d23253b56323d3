/**
 * Source text that skips values, in the steps of pick/skip.ts: only the structure of skipped values is checked. A run of values
 * of known size is one step.
 */

import type { Names } from "../../../generate/names.js";
import { readerNames, type Scope, StructReader } from "../../../generate/read-struct.js";
import type { ReadContext } from "../../../generate/read-values.js";
import {
  isInBits,
  isWide,
  knownBytesOf,
  type ListNode,
  type MapNode,
  minBytesOf,
  type Node,
  type Struct,
} from "../../../model/model.js";
import type { PickFunctions } from "./functions.js";

/** A value of known size has at most as many items in a check of bounds. */
const MAX_ITEMS = 16;
/** Fewest bytes of an element whose list begins with bits. */
const BIT = 1 / 8;

/** The body of a function that skips a struct. `level`: how many levels a value lies below that struct. */
export class SkipReader extends StructReader {
  protected readonly functions: PickFunctions;

  constructor(functions: PickFunctions, struct: Struct, names: Names) {
    super(functions.module, struct, names);
    this.functions = functions;
  }

  /** Returns the body of the function that skips a struct. */
  skipText(struct: Struct): string {
    const scope: Scope = { struct, stem: "", level: 0, values: new Map() };
    const isTested = struct.optionals.map(({ type }) => !this.isNothing(type));
    const bits = this.readStore(scope, (byte) => isTested.slice(8 * byte, 8 * byte + 8).includes(true));
    for (const member of [...struct.fixed, ...struct.dynamic])
      this.skipValue(this.contextOf(scope, member), member.type, 0);
    this.endBlock();
    for (const [i, member] of struct.optionals.entries())
      this.skipOptional(bits(i), this.contextOf(scope, member), member.type, 0);
    return this.bodyText(() => undefined);
  }

  /** Skips a field if its presence bit is set. */
  protected skipOptional(bit: string, context: ReadContext, type: Node, level: number): void {
    if (this.isNothing(type)) return;
    this.code.branch(`if (${bit}) {`, () => {
      this.skipValue(context, type, level);
      this.endBlock();
    });
  }

  /** True for a type whose values have no bytes and need no check. */
  protected isNothing(type: Node): boolean {
    return this.functions.isNothing(type) && !this.#needsDepth(type);
  }

  /** Whether the depth of a value must be checked: a list may be one level too deep in a struct that may be deep. */
  #needsDepth(type: Node): boolean {
    return this.functions.isDeep(type) || (this.context.isDeep && type.kind === "array");
  }

  /** Skips a value. A value of known size becomes a part of the block, which the caller ends. */
  protected skipValue(context: ReadContext, type: Node, level: number): void {
    const { code, module } = this;
    if (this.isNothing(type)) return;
    const sizes = this.#needsDepth(type) ? undefined : this.#sizesOf(type);
    if (sizes !== undefined) {
      for (const size of sizes) this.addItem({ size, read: () => undefined });
      return;
    }
    this.endBlock();
    switch (type.kind) {
      case "utf8":
      case "ascii":
      case "bytes":
        return this.#local(" && b[p] < end - p", "p += b[p] + 1", `${module.use("skipText")}(r, p)`);
      case "ref":
        return code.reader(structSkip(this.functions, type.struct, level + 1));
      case "union": {
        const skip = this.functions.skipUnion(type, context.owner, (struct) => structSkip(this.functions, struct, 0));
        return code.reader(`${skip}(r${this.functions.depth(type, level + 1)});`);
      }
      case "array":
        return this.skipList(context, type, level);
      case "map":
        return this.#skipMap(context, type, level);
      case "nullable":
        return this.whole(`if (${module.use("readFlag")}(r)) {`, () => this.skipValue(context, type.value, level));
      case "bool":
        return code.reader(`${module.use("readFlag")}(r);`);
      case "enumeration":
        return this.#local("", "p++", `${module.use("skipIndex")}(r, p, ${type.values.length})`);
      default:
        return this.#local("", "p++", `${module.use(isWide(type.kind) ? "skipUvar64" : "skipUvar")}(r, p)`);
    }
  }

  /** Checks the depth of a value if the function has a depth. */
  protected checkDepth(level: number): void {
    if (this.context.isDeep) this.code.reader(`${this.module.use("checkDepth")}(r, depth + ${level});`);
  }

  /** Writes a block whose statements begin and end with the position in the reader. The text `open` may advance the reader. */
  protected whole(open: string, write: () => void): void {
    const { code } = this;
    code.beginReader();
    code.open(open);
    write();
    this.endBlock();
    code.toReader();
    code.close();
    code.markReader();
  }

  /** Writes a loop over `count` elements. `min`: fewest bytes of one; `reserves`: whether they contain counts. */
  protected loop(count: string, min: number, reserves: boolean, each: (i: string) => void): void {
    const i = this.names.unique("i");
    if (reserves) this.code.line(`r.reserved += ${count}${min === 1 ? "" : ` * ${min}`};`);
    this.whole(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`, () => {
      if (reserves) this.code.line(`r.reserved -= ${min};`);
      each(i);
    });
  }

  /** Skips a list. */
  protected skipList(context: ReadContext, { element, length }: ListNode, level: number): void {
    const { code, module } = this;
    this.endBlock();
    this.checkDepth(level + 1);
    const min = isInBits(element) ? BIT : minBytesOf(element);
    const read = () => `${module.use("readCount")}(r, ${min}, 0, Infinity)`;
    if (length === 0 && this.isNothing(element)) return code.reader(`${read()};`);
    const count = length > 0 ? String(length) : this.names.unique("count");
    if (length === 0) code.reader(`const ${count} = ${read()};`);
    if (element.kind === "bool") return code.reader(`${module.use("readBits")}(r, ${count});`);
    if (element.kind === "nullable") {
      const bits = this.names.unique("bits");
      const { value } = element;
      const isTested = !this.isNothing(value);
      code.reader(`${isTested ? `const ${bits} = ` : ""}${module.use("readBits")}(r, ${count});`);
      if (!isTested) return;
      return this.loop(count, 0, false, (i) =>
        this.whole(`if (${module.use("bitAt")}(r, ${bits}, ${i})) {`, () => this.skipValue(context, value, level + 1)),
      );
    }
    const size = knownBytesOf(element);
    if (size >= 0 && !this.#needsDepth(element)) {
      if (length === 0) return code.reader(`r.pos += ${count}${size === 1 ? "" : ` * ${size}`};`);
      if (element.kind !== "ref" && element.kind !== "array") {
        code.reader(`${module.use("needEach")}(r, ${length}, ${size});`);
        return code.line(`r.pos += ${length * size};`);
      }
      code.reader(`if (${length * size} <= r.end - r.pos) r.pos += ${length * size};`);
      return this.whole("else {", () => this.loop(count, 0, false, () => this.skipValue(context, element, level + 1)));
    }
    const one = this.#skipOf(element);
    if (one !== undefined) return code.reader(`${module.use("skipVarints")}(r, ${count}, ${one});`);
    if (isCounted(element)) return code.reader(`${module.use("skipTexts")}(r, ${count});`);
    this.loop(count, min, length === 0 && module.traits.hasCounts(element), () =>
      this.skipValue(context, element, level + 1),
    );
  }

  #skipMap(context: ReadContext, { key, value }: MapNode, level: number): void {
    const { code, module } = this;
    this.checkDepth(level + 1);
    const min = minBytesOf(key) + minBytesOf(value);
    const count = this.names.unique("count");
    code.reader(`const ${count} = ${module.use("readCount")}(r, ${min}, 0, Infinity);`);
    const isKnown = knownBytesOf(key) > 0 && (value.kind === "bool" || knownBytesOf(value) > 0);
    if (isKnown && !this.#needsDepth(value)) return code.reader(`r.pos += ${count} * ${min};`);
    this.loop(count, min, module.traits.hasCounts(value), () => {
      this.skipValue({ ...context, owner: `${context.owner}Key` }, key, level + 1);
      this.skipValue(context, value, level + 1);
    });
  }

  /** Returns the function that skips a varint; undefined for other types. */
  #skipOf(type: Node): string | undefined {
    switch (type.kind) {
      case "uvar":
      case "ivar":
        return this.module.use("skipUvar");
      case "uvar64":
      case "ivar64":
        return this.module.use("skipUvar64");
      case "enumeration":
        return `(one, at) => ${this.module.use("skipIndex")}(one, at, ${type.values.length})`;
      default:
        return undefined;
    }
  }

  /** Returns the sizes of the items of a value of known size, as a check of bounds takes them; undefined for other types, and for many items. */
  #sizesOf(type: Node): readonly number[] | undefined {
    if (type.kind === "bool" || knownBytesOf(type) < 0 || this.functions.isDeep(type)) return undefined;
    if (knownBytesOf(type) === 0) return [];
    if (type.kind === "ref") return this.#fieldSizes(type.struct);
    if (type.kind !== "array") return [knownBytesOf(type)];
    if (type.element.kind === "bool") return [-type.length];
    const sizes = type.length > MAX_ITEMS ? undefined : this.#sizesOf(type.element);
    if (sizes === undefined || sizes.length * type.length > MAX_ITEMS) return undefined;
    return Array.from({ length: type.length }, () => sizes).flat();
  }

  #fieldSizes({ bools, fixed }: Struct): readonly number[] | undefined {
    const sizes: number[] = bools.length > 0 ? [-bools.length] : [];
    for (const { type } of fixed) {
      const inner = this.#sizesOf(type);
      if (inner === undefined || sizes.length + inner.length > MAX_ITEMS) return undefined;
      sizes.push(...inner);
    }
    return sizes;
  }

  /**
   * Skips a value whose first byte is often below 0x80, which takes no call then: a call of a function that V8 does not inline takes as
   * long as the rest. `test`: a further condition; `step`: the statement; `call`: the expression of the end in all other cases.
   */
  #local(test: string, step: string, call: string): void {
    const { code } = this;
    const end = code.endOfBytes();
    const own = (text: string) => text.replaceAll("b[p]", `${code.bytes()}[p]${this.module.typed("!")}`);
    code.toLocal();
    code.line(own(`if (p < ${end} && b[p] < 0x80${test}) ${step};`), `else p = ${call};`);
    code.markLocal();
  }
}

/** Returns the statement that skips a struct `level` levels below the struct of a function; "" if there is nothing to skip. */
export function structSkip(functions: PickFunctions, struct: Struct, level: number): string {
  const type: Node = { kind: "ref", struct };
  if (functions.isNothing(type)) return "";
  const skip = functions.skip(struct, () =>
    new SkipReader(functions, struct, readerNames(functions.module)).skipText(struct),
  );
  return `${skip}(r${functions.depth(type, level)});`;
}

function isCounted({ kind }: Node): boolean {
  return kind === "utf8" || kind === "ascii" || kind === "bytes";
}
