/** Statements that read the wanted fields of a struct as its decoder does, and skip the others, by the rules of pick/compile.ts. */
import { invalidArgument } from "moonpack/bytes";
import { isInBits, type ListNode, type Member, type Node, type Struct, type UnionNode } from "../../../model/model.js";
import type { EachTree, PathTree } from "../../../pick/tree.js";
import type { Key } from "../../../runtime/take.js";
import { outputsOf } from "../../picks/outputs.js";
import { minBytesInGo } from "../needs.js";
import { readPointed, readValue } from "../read-values.js";
import { goString, Lines, times } from "../text.js";
import { absentFormOf } from "../types.js";
import type { PickType } from "./fields.js";
import type { PickBody } from "./skips.js";

/** Structs that one function reads. Paths through unions in unions would lead to the same structs in many ways. */
const MAX_STRUCTS = 500;

/** Where a wanted value goes. */
interface Target {
  /** The expression: `v.Tenant`, `list[k]`. */
  readonly x: string;
  readonly type: PickType;
}

/** Receives the values of a tree, by their keys. */
type Targets = ReadonlyMap<Key, Target>;

/** Writes the statements that read the wanted fields of messages. */
export class PickReader {
  readonly #body: PickBody;
  readonly #name: string;
  #structs = 0;
  /** How many lists of `*` the statements are in. */
  #lists = 0;

  constructor(body: PickBody, name: string) {
    this.#body = body;
    this.#name = name;
  }

  /** Reads the wanted fields of a struct whose depth is `level` below the depth of the function. */
  struct(struct: Struct, tree: PathTree, targets: Targets, level: number): void {
    const body = this.#body;
    if (this.#structs++ > MAX_STRUCTS)
      throw invalidArgument(`picks: ${this.#name} has paths through too many unions for Go`);
    const wanted = (member: Member) => tree.fields.get(member.name);
    const bits = struct.optionals.length + struct.bools.length;
    body.flush();
    const isTested =
      struct.bools.some((member) => (wanted(member)?.keys.length ?? 0) > 0) ||
      struct.optionals.some((member) => wanted(member) !== undefined || !body.isNothing(member.type));
    const at = isTested ? body.newName("at") : "";
    if (isTested) body.add(`${at} := i`);
    if (bits > 0) body.try("", `${body.runtime("SkipBits")}(b, i, ${bits})`);
    for (const [i, member] of struct.bools.entries()) {
      const test = `${body.runtime("Bit")}(b, ${at}, ${struct.optionals.length + i})`;
      const inner = wanted(member);
      if (inner !== undefined) this.#assign(inner, targets, body.context.owned(member.type, test));
    }
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      const inner = wanted(member);
      if (inner === undefined) body.skip(member.type, level);
      else this.#value(member.type, inner, targets, level);
    }
    body.flush();
    for (const [i, member] of struct.optionals.entries()) {
      const inner = wanted(member);
      if (inner === undefined) body.skipOptional(member.type, at, i, level);
      else this.#optional(member, inner, targets, `if ${body.runtime("Bit")}(b, ${at}, ${i})`, level);
    }
  }

  #optional(member: Member, tree: PathTree, targets: Targets, isThere: string, level: number): void {
    const body = this.#body;
    const { type, omit } = member;
    const isWhole = tree.keys.length > 0;
    if (!isWhole || absentFormOf(member) === "nil") {
      return body.block(isThere, () => {
        const refusesEmpty = !isWhole && tree.each !== undefined && omit.has("empty");
        this.#value(type, tree, targets, level, refusesEmpty);
        body.flush();
      });
    }
    this.#refuseInner(tree);
    const { x, type: target } = targets.get(tree.keys[0]!)!;
    const value = target.isPointer ? `*${x}` : x;
    const at = body.newName("at");
    if (target.isPointer) this.#allocate(type, x);
    body.block(isThere, () => {
      body.add(`${at} := i`);
      readValue(body, type, value, level);
      const isPresent = body.context.presence(member, value);
      const isAbsent = isPresent.startsWith("len(")
        ? isPresent.replace(" > ", " == ")
        : isPresent.replace(" != ", " == ");
      body.block(`if ${isAbsent}`, () => body.fail(`${body.runtime("ReadError")}("ERR_NOT_CANONICAL", ${at})`));
    });
    this.#copy(tree, targets);
  }

  /** Reads a value that is present, or wanted places in it. `refusesEmpty`: an empty list is not valid. */
  #value(type: Node, tree: PathTree, targets: Targets, level: number, refusesEmpty = false): void {
    const body = this.#body;
    body.flush();
    if (tree.keys.length > 0) {
      this.#refuseInner(tree);
      const { x, type: target } = targets.get(tree.keys[0]!)!;
      if (target.isPointer) readPointed(body, type, x, level);
      else readValue(body, type, x, level);
      return this.#copy(tree, targets);
    }
    switch (type.kind) {
      case "ref":
        if (body.context.needs.isDeep(type.struct)) body.checkDepth(level + 1);
        return this.struct(type.struct, tree, targets, level + 1);
      case "union":
        return this.#union(type, tree, targets, level);
      case "array":
        if (tree.each !== undefined) return this.#list(type, tree.each, targets, level, refusesEmpty);
    }
    body.skip(type, level); // a value without wanted places, in an arm beside arms that have them
  }

  #union(union: UnionNode, tree: PathTree, targets: Targets, level: number): void {
    const body = this.#body;
    const kind = tree.fields.get(union.discriminator);
    body.checkUnionDepth(union, level);
    body.arms(union.arms.length, (i) => {
      const { name, struct } = union.arms[i]!;
      if (kind !== undefined) this.#assign(kind, targets, goString(name));
      if (struct.members.some((member) => tree.fields.has(member.name))) this.struct(struct, tree, targets, level + 1);
      else body.skipStruct(struct, level + 1);
    });
  }

  #list({ element, length }: ListNode, each: EachTree, targets: Targets, level: number, refusesEmpty: boolean): void {
    const body = this.#body;
    const { context } = body;
    const at = refusesEmpty ? body.newName("at") : "";
    if (refusesEmpty) body.add(`${at} := i`);
    body.checkDepth(level + 1);
    const isBits = isInBits(element);
    const least = minBytesInGo(element);
    const outputs = outputsOf(each.tree).map(({ key }) => ({ key, list: targets.get(each.lists[key as number]!)! }));
    const sizes = outputs.map(({ list }) => (list.type.element!.isPointer ? 8 : list.type.element!.size));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    // The bytes of a list in a list may be part of what its outer list is paid by: it is always counted.
    const counted = (count: number, bytes: number) => context.memory.counted(count * size, this.#lists > 0 ? 0 : bytes);
    const cost = (isBits ? counted(8, 1) : counted(1, least)) === 0 ? undefined : { fixed: 0, each: size };
    if (length > 0) body.takeMemory(counted(length, isBits ? Math.ceil(length / 8) : length * least));
    const n = length > 0 ? String(length) : body.count(isBits, least, cost);
    if (refusesEmpty)
      body.block(`if ${n} == 0`, () => body.fail(`${body.runtime("ReadError")}("ERR_NOT_CANONICAL", ${at})`));
    const bits = isBits ? body.newName("at") : "";
    if (isBits) {
      body.add(`${bits} := i`);
      body.try("", `${body.runtime("SkipBits")}(b, i, ${n})`);
    }
    const k = body.newName("k");
    const inner = new Map<Key, Target>();
    for (const { key, list } of outputs) {
      const name = body.newName("list");
      body.add(`${name} := make(${list.type.go}, ${n})`);
      inner.set(key, { x: `${name}[${k}]`, type: list.type.element! });
    }
    const reserves = length === 0 && !isBits && context.needs.typeHasCounts(element);
    const outside = body.swap(new Lines());
    this.#lists++;
    body.lines.indent(() => {
      if (reserves) body.add(least === 1 ? "reserved--" : `reserved -= ${least}`);
      const isThere = `${body.runtime("Bit")}(b, ${bits}, ${k})`;
      if (element.kind === "bool") this.#assign(each.tree, inner, context.owned(element, isThere));
      else if (element.kind === "nullable") {
        body.block(`if ${isThere}`, () => {
          this.#value(element.value, each.tree, inner, level + 1);
          body.flush();
        });
      } else this.#value(element, each.tree, inner, level + 1);
      body.flush();
    });
    this.#lists--;
    const inside = body.swap(outside);
    if (reserves) body.add(`reserved += ${times(least, n).replace("*", " * ")}`);
    // Go refuses an unused variable.
    body.add(new RegExp(`\\b${k}\\b`).test(inside.text()) ? `for ${k} := range ${n} {` : `for range ${n} {`);
    body.lines.append(inside);
    body.add("}");
    for (const { key, list } of outputs) body.add(`${list.x} = ${inner.get(key)!.x.replace(/\[\w+\]$/, "")}`);
  }

  /** Assigns an expression to the first key of a tree, and copies it to the others. */
  #assign(tree: PathTree, targets: Targets, value: string): void {
    const [key] = tree.keys;
    if (key === undefined) return; // places in a value that has none
    const { x, type } = targets.get(key)!;
    this.#body.add(`${x} = ${type.isPointer ? `${this.#body.runtime("Pointer")}(${value})` : value}`);
    this.#copy(tree, targets);
  }

  #copy({ keys: [first, ...others] }: PathTree, targets: Targets): void {
    for (const key of others) this.#body.add(`${targets.get(key)!.x} = ${targets.get(first!)!.x}`);
  }

  #allocate(type: Node, x: string): void {
    this.#body.takeMemory(this.#body.context.memory.countedTarget(type));
    this.#body.add(`${x} = ${this.#body.context.newOf(type)}`);
  }

  /** Refuses places in a value that is also wanted as a whole. */
  #refuseInner({ fields, each }: PathTree): void {
    if (fields.size > 0 || each !== undefined)
      throw invalidArgument(
        `picks: ${this.#name} has a path to a value and a path into it, which Go does not have: take one of them`,
      );
  }
}
