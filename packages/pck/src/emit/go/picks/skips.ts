/** Statements that skip values, in the steps of pick/skip.ts: only the structure of skipped values is checked. */
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
import { skippedFieldOrder } from "../../older-schemas/field-order.js";
import { FunctionQueue } from "../../older-schemas/function-queue.js";
import type { GoContext } from "../context.js";
import { MAX_INT32, minBytesInGo, type Needs } from "../needs.js";
import { argumentsOf, parametersOf, ReadBody } from "../read-body.js";
import { depthAt, type Lines, times } from "../text.js";

/** The most items of a check of bounds. */
const MAX_ITEMS = 16;

/** The functions that skip structs: each is written once. */
export class SkipFunctions {
  readonly context: GoContext;
  readonly #queue = new FunctionQueue<Lines>();

  constructor(context: GoContext) {
    this.context = context;
  }

  /** Returns the texts of all functions that are used. */
  texts(): readonly Lines[] {
    return [...this.#queue.texts()];
  }

  /** Returns the needs of the function that skips a struct: it allocates nothing. */
  needsOf(struct: Struct): Needs {
    return { ...this.context.structNeeds(struct), takesRoom: false };
  }

  /** Returns the name of the function that skips a struct. */
  struct(struct: Struct): string {
    const { needs, names } = this.context;
    const name = `skip${names.struct(struct)}Fields`;
    return this.#queue.nameOf(
      `${struct.index}`,
      () => name,
      () => {
        const body = new PickBody(this, needs.isDeep(struct));
        body.checkDepth(0);
        const { bitCount, usesBits, required, optional } = skippedFieldOrder(struct);
        const bits = usesBits ? body.newName("at") : "";
        if (usesBits) body.add(`${bits} := i`);
        if (bitCount > 0) body.try("", `${body.runtime("SkipBits")}(b, i, ${bitCount})`);
        for (const { from } of required) body.skip(from.type, 0);
        body.flush();
        for (const { from, bit } of optional) body.skipOptional(from.type, bits, bit, 0);
        body.add("return i, nil");
        return body.close(
          `${name} returns the end of the fields of a struct.`,
          `func ${name}(${parametersOf(this.needsOf(struct))}) (int, *${body.runtime("Error")})`,
        );
      },
    );
  }
}

/** A function that skips or reads wanted fields, while it is written. */
export class PickBody extends ReadBody {
  readonly functions: SkipFunctions;
  /** The sizes of skipped values of known size, which one step skips. */
  #sizes: number[] = [];

  constructor(functions: SkipFunctions, isDeep: boolean) {
    super(functions.context, isDeep);
    this.functions = functions;
  }

  /** Writes the step over values of known size. Call it before any other statement that uses the position. */
  flush(): void {
    const sizes = this.#sizes;
    if (sizes.length === 0) return;
    this.#sizes = [];
    const size = sizes.reduce((sum, one) => sum + one, 0);
    this.block(size === 1 ? "if i >= len(b)" : `if len(b)-i < ${size}`, () =>
      this.fail(`${this.runtime("BlockError")}(${["b", "i", 0, ...sizes].join(", ")})`),
    );
    this.add(size === 1 ? "i++" : `i += ${size}`);
  }

  /** Skips a field if its presence bit is set. `bits`: the variable of the bits' position. */
  skipOptional(type: Node, bits: string, bit: number, level: number): void {
    if (this.isNothing(type)) return;
    this.block(`if ${this.runtime("Bit")}(b, ${bits}, ${bit})`, () => {
      this.skip(type, level);
      this.flush();
    });
  }

  /** True for a type whose values have no bytes and need no check. */
  isNothing(type: Node): boolean {
    return type.kind !== "bool" && knownBytesOf(type) === 0 && !this.#needsDepth(type);
  }

  /** Skips a value. What has a known size may be skipped later, by `flush`. */
  skip(type: Node, level: number): void {
    if (this.isNothing(type)) return;
    const sizes = this.#needsDepth(type) ? undefined : this.#sizesOf(type);
    if (sizes !== undefined) {
      if (this.#sizes.length + sizes.length > MAX_ITEMS) this.flush();
      this.#sizes.push(...sizes);
      return;
    }
    this.flush();
    switch (type.kind) {
      case "utf8":
      case "ascii":
      case "bytes":
        return this.try("", `${this.runtime("SkipText")}(b, i)`);
      case "bool":
        return this.try("_", `${this.runtime("Flag")}(b, i)`);
      case "ref":
        return this.skipStruct(type.struct, level + 1);
      case "union":
        this.checkUnionDepth(type, level);
        return this.arms(type.arms.length, (i) => this.skipStruct(type.arms[i]!.struct, level + 1));
      case "array":
        return this.skipList(type, level);
      case "map":
        return this.#map(type, level);
      case "nullable": {
        const isThere = this.newName("isThere");
        this.add(`var ${isThere} bool`);
        this.try(isThere, `${this.runtime("Flag")}(b, i)`);
        return this.block(`if ${isThere}`, () => {
          this.skip(type.value, level);
          this.flush();
        });
      }
      case "enumeration":
        return this.try("", `${this.runtime("SkipIndex")}(b, i, ${type.values.length})`);
      default:
        return this.try("", `${this.runtime(isWide(type.kind) ? "SkipUvar64" : "SkipUvar")}(b, i)`);
    }
  }

  /** Skips a struct whose depth is `level` below the depth of the function. */
  skipStruct(struct: Struct, level: number): void {
    if (this.isNothing({ kind: "ref", struct })) return;
    const { functions } = this;
    this.try("", `${functions.struct(struct)}(${argumentsOf(functions.needsOf(struct), depthAt(level))})`);
  }

  /** Checks the depth of a union, which its arm has, too. */
  checkUnionDepth(type: Node, level: number): void {
    if (this.context.needs.typeIsDeep(type)) this.checkDepth(level + 1);
  }

  /** Reads an arm's index, and writes what follows for each arm. */
  arms(count: number, arm: (index: number) => void): void {
    const place = count === 1 ? "_" : this.newName("place");
    if (count > 1) this.add(`var ${place} uint32`);
    this.try(place, `${this.runtime("NameIndex")}(b, i, ${count})`);
    if (count === 1) return arm(0);
    this.add(`switch ${place} {`);
    for (let i = 0; i < count; i++) {
      this.add(i < count - 1 ? `case ${i}:` : "default:");
      this.lines.indent(() => {
        arm(i);
        this.flush();
      });
    }
    this.add("}");
  }

  /** Skips a list. */
  skipList({ element, length }: ListNode, level: number): void {
    this.flush();
    this.checkDepth(level + 1);
    const isBits = isInBits(element);
    const n = length > 0 ? String(length) : this.count(isBits, minBytesInGo(element));
    const isUnused = element.kind !== "bool" && this.isNothing(element.kind === "nullable" ? element.value : element);
    if (isBits) {
      const bits = isUnused || element.kind === "bool" ? "" : this.newName("at");
      if (bits !== "") this.add(`${bits} := i`);
      this.try("", `${this.runtime("SkipBits")}(b, i, ${n})`);
      if (bits === "" || element.kind !== "nullable") return;
      const k = this.newName("k");
      return this.block(`for ${k} := range ${n}`, () =>
        this.block(`if ${this.runtime("Bit")}(b, ${bits}, ${k})`, () => {
          this.skip(element.value, level + 1);
          this.flush();
        }),
      );
    }
    if (isUnused) return length > 0 ? undefined : this.add(`_ = ${n}`);
    const size = knownBytesOf(element);
    if (size >= 0 && !this.#needsDepth(element)) {
      if (length === 0) return this.add(`i += ${times(size, n).replace("*", " * ")}`);
      if (element.kind !== "ref" && element.kind !== "array") {
        this.block(`if len(b)-i < ${size * length}`, () => this.fail(`${this.runtime("ListError")}(b, i, ${size})`));
        return this.add(`i += ${size * length}`);
      }
    }
    const one = this.#skipOf(element);
    if (one !== undefined) return this.try("", `${this.runtime("SkipUvars")}(b, i, ${n}, ${one})`);
    if (element.kind === "utf8" || ((element.kind === "ascii" || element.kind === "bytes") && element.length === 0))
      return this.try("", `${this.runtime("SkipTexts")}(b, i, ${n})`);
    const reserves = length === 0 && this.context.needs.typeHasCounts(element);
    this.loop(`for range ${n}`, n, minBytesInGo(element), reserves, () => {
      this.skip(element, level + 1);
      this.flush();
    });
  }

  #map({ key, value }: MapNode, level: number): void {
    this.checkDepth(level + 1);
    const min = minBytesOf(key) + minBytesOf(value);
    const n = this.count(false, Math.min(MAX_INT32, min));
    const isKnown = knownBytesOf(key) > 0 && (value.kind === "bool" || knownBytesOf(value) > 0);
    if (isKnown && !this.#needsDepth(value)) return this.add(`i += ${times(min, n).replace("*", " * ")}`);
    const reserves = this.context.needs.typeHasCounts(value);
    this.loop(`for range ${n}`, n, Math.min(MAX_INT32, min), reserves, () => {
      this.skip(key, level + 1);
      this.skip(value, level + 1);
      this.flush();
    });
  }

  /** Returns the function that skips a varint; undefined for other types. */
  #skipOf(type: Node): string | undefined {
    switch (type.kind) {
      case "uvar":
      case "ivar":
        return this.runtime("SkipUvar");
      case "uvar64":
      case "ivar64":
        return this.runtime("SkipUvar64");
      case "enumeration": {
        const skip = `${this.runtime("SkipIndex")}(b, i, ${type.values.length})`;
        return `func(b []byte, i int) (int, *${this.runtime("Error")}) { return ${skip} }`;
      }
      default:
        return undefined;
    }
  }

  /** Whether the depth of a value must be checked: a list may be one level too deep in a struct that may be deep. */
  #needsDepth(type: Node): boolean {
    return this.context.needs.typeIsDeep(type) || (this.isDeep && type.kind === "array");
  }

  /** Returns the sizes of the items of a value of known size; undefined for other types, for bits, and for many items. */
  #sizesOf(type: Node): readonly number[] | undefined {
    const size = knownBytesOf(type);
    if (type.kind === "bool" || size < 0) return undefined;
    if (size === 0) return [];
    if (type.kind === "ref") return this.#fieldSizes(type.struct);
    if (type.kind !== "array") return [size];
    const sizes = type.length > MAX_ITEMS ? undefined : this.#sizesOf(type.element);
    if (sizes === undefined || sizes.length * type.length > MAX_ITEMS) return undefined;
    return Array.from({ length: type.length }, () => sizes).flat();
  }

  #fieldSizes({ bools, fixed }: Struct): readonly number[] | undefined {
    const sizes: number[] = [];
    if (bools.length > 0) return undefined;
    for (const { type } of fixed) {
      const inner = this.#sizesOf(type);
      if (inner === undefined || sizes.length + inner.length > MAX_ITEMS) return undefined;
      sizes.push(...inner);
    }
    return sizes;
  }
}
