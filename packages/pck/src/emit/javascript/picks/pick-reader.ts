/** Source text that reads the wanted fields of a struct as the decoder does, and skips the others, by the rules of pick/compile.ts. */
import { readerNames, type Scope } from "../../../generate/read-struct.js";
import { type ReadContext, readInto } from "../../../generate/read-values.js";
import {
  isInBits,
  type ListNode,
  type Member,
  minBytesOf,
  type Node,
  type Struct,
  type UnionNode,
} from "../../../model/model.js";
import { weightOfIndices } from "../../../model/weights.js";
import { type EachTree, type PathTree, slotsOf } from "../../../pick/tree.js";
import type { Key } from "../../../runtime/take.js";
import { type Output, outputsOf } from "../../picks/outputs.js";
import { SkipReader } from "./skip-reader.js";
import { unionReader, type Values } from "./union-reader.js";

const LINE_WIDTH = 110;

/** The body of a function that reads wanted fields. */
export class PickReader extends SkipReader {
  /** Returns the body of the function. `entries` returns the entries of its result. */
  pickText(struct: Struct, tree: PathTree, entries: (values: Values) => readonly string[]): string {
    const values = this.#fields(struct, tree, 0);
    return this.bodyText(() => {
      const list = entries(values);
      const line = `return { ${list.join(", ")} };`;
      if (line.length <= LINE_WIDTH) return this.code.line(line);
      this.code.open("return {");
      this.code.line(...list.map((entry) => `${entry},`));
      this.code.close("};");
    });
  }

  /** Reads the wanted fields of a struct `level` levels below the struct of the function. */
  #fields(struct: Struct, tree: PathTree, level: number): Values {
    const scope: Scope = { struct, stem: "", level, values: new Map() };
    const values: Values = new Map();
    const wanted = (member: Member) => tree.fields.get(member.name);
    const isTested = [
      ...struct.optionals.map((member) => wanted(member) !== undefined || !this.isNothing(member.type)),
      ...struct.bools.map((member) => wanted(member) !== undefined),
    ];
    const bits = this.readStore(scope, (byte) => isTested.slice(8 * byte, 8 * byte + 8).includes(true));
    this.#count(weightOfIndices(struct));
    for (const member of struct.bools) this.#put(wanted(member), scope.values.get(member)!, values);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      const inner = wanted(member);
      if (inner === undefined) this.skipValue(this.contextOf(scope, member), member.type, level);
      else if (inner.keys.length > 0) {
        this.#count(this.module.weights.field(member));
        this.readRequired(scope, member);
        this.#take(member.type, inner, scope.values.get(member)!, values);
      } else this.#inside(this.contextOf(scope, member), member.type, inner, level, values);
    }
    this.endBlock();
    for (const [i, member] of struct.optionals.entries()) {
      const inner = wanted(member);
      if (inner === undefined) this.skipOptional(bits(i), this.contextOf(scope, member), member.type, level);
      else this.#optional(scope, member, inner, bits(i), values);
    }
    return values;
  }

  #optional(scope: Scope, member: Member, tree: PathTree, bit: string, values: Values): void {
    const { type, omit } = member;
    const context = this.contextOf(scope, member);
    if (tree.keys.length > 0) {
      this.#count(this.module.weights.field(member));
      this.readOptional(scope, member, bit);
      const found: Node = omit.has("null") ? { kind: "nullable", value: type } : type;
      return this.#take(found, tree, scope.values.get(member)!, values);
    }
    const each = type.kind === "array" ? tree.each : undefined;
    if (each === undefined && type.kind !== "ref" && type.kind !== "union")
      return this.skipOptional(bit, context, type, scope.level);
    // The lists of an absent list that decodes as empty are empty.
    const isEmpty = each !== undefined && !omit.has("null");
    const absent = ({ path }: Output) => (isEmpty && path[0] === null ? "[]" : undefined);
    const otherwise = isEmpty ? this.module.countText(each.lists.length) : "";
    this.#branch(`if (${bit}) {`, type, tree, absent, values, otherwise, (inner) => {
      if (type.kind === "array") this.#list(context, type, each!, scope.level, inner, omit.has("empty"));
      else this.#inside(context, type, tree, scope.level, inner);
    });
  }

  /**
   * Writes a block that may not run, or else the statement `otherwise`. The values that `write` reads in it are in variables, which
   * begin as undefined or as `absent` says.
   */
  #branch(
    open: string,
    type: Node,
    tree: PathTree,
    absent: (output: Output) => string | undefined,
    values: Values,
    otherwise: string,
    write: (inner: Values) => void,
  ): void {
    const { code, functions, module } = this;
    const outputs = outputsOf(tree);
    for (const output of outputs) {
      const name = this.names.unique(output.path.findLast((step) => step !== null) ?? "item");
      const first = absent(output);
      const isAbsent = first === undefined || first === "null";
      const typed = functions.typeAt(isAbsent ? { kind: "nullable", value: type } : type, output.path);
      code.line(`let ${name}${module.typed(`: ${typed}`)}${first === undefined ? "" : ` = ${first}`};`);
      values.set(output.key, name);
    }
    if (otherwise !== "") code.toReader();
    const read = () => {
      const inner: Values = new Map();
      write(inner);
      this.endBlock();
      for (const { key } of outputs) if (inner.has(key)) code.line(`${values.get(key)} = ${inner.get(key)};`);
    };
    code.branch(open, read, otherwise === "" ? "}" : `} else ${otherwise}`);
  }

  /** Counts elements at the reader's position. */
  #count(weight: number): void {
    const text = this.module.countText(weight);
    if (text === "") return;
    this.endBlock();
    this.code.reader(text);
  }

  /** Puts a value where it goes. */
  #put(tree: PathTree | undefined, value: string, values: Values): void {
    for (const key of tree?.keys ?? []) values.set(key, value);
  }

  /** Takes the wanted places from a value that was read. */
  #take(type: Node, tree: PathTree, value: string, values: Values): void {
    const { code, functions, module } = this;
    const outputs = outputsOf(tree);
    let text = value;
    if (outputs.length > 1 && !/^\w+$/.test(value)) {
      this.endBlock();
      text = this.names.unique("item");
      code.line(`const ${text} = ${value};`);
    }
    this.#put(tree, text, values);
    const inner = outputs.filter(({ path }) => path.length > 0);
    if (inner.length === 0) return;
    this.endBlock();
    const taken = this.names.unique("taken");
    code.toReader();
    code.line(`const ${taken} = ${module.use("takenFrom")}(r, ${functions.takes.value(tree, type)}, ${text});`);
    for (const { key, path } of inner)
      values.set(key, `${taken}[${key}]${module.typed(` as ${functions.typeAt(type, path)}`)}`);
  }

  /** Reads wanted places in a value. */
  #inside(context: ReadContext, type: Node, tree: PathTree, level: number, values: Values): void {
    if (tree.keys.length > 0) return this.#whole(context, type, tree, level, values);
    switch (type.kind) {
      case "ref":
        if (this.functions.isDeep(type)) {
          this.endBlock();
          this.checkDepth(level + 1);
        }
        for (const [key, value] of this.#fields(type.struct, tree, level + 1)) values.set(key, value);
        return;
      case "union":
        return this.#union(context, type, tree, level, values);
      case "array":
        if (tree.each === undefined) return this.skipValue(context, type, level);
        return this.#list(context, type, tree.each, level, values, false);
      default:
        return this.skipValue(context, type, level); // in an arm beside arms that have places
    }
  }

  #whole(context: ReadContext, type: Node, tree: PathTree, level: number, values: Values): void {
    this.endBlock();
    const name = this.names.unique("item");
    readInto(context, type, level, { name, isDeclared: false });
    this.#take(type, tree, name, values);
  }

  /** Calls the function that reads wanted places in a union. It returns an object. */
  #union(context: ReadContext, union: UnionNode, tree: PathTree, level: number, values: Values): void {
    this.endBlock();
    const { functions, names } = this;
    const properties = new Map(outputsOf(tree).map(({ key, path }, i) => [key, `${propertyName(path)}_${i}`] as const));
    const read = unionReader(...([functions, union, tree, context.owner, properties] as const), (struct, ...rest) =>
      new PickReader(functions, struct, readerNames(functions.module)).pickText(struct, ...rest),
    );
    const part = names.unique("part");
    this.code.reader(`const ${part} = ${read}(r${this.functions.depth(union, level + 1)});`);
    for (const [key, property] of properties) values.set(key, `${part}.${property}`);
  }

  /** Reads wanted places in every element. `refusesEmpty`: an empty list is not valid. */
  #list(
    context: ReadContext,
    node: ListNode,
    each: EachTree,
    level: number,
    values: Values,
    refusesEmpty: boolean,
  ): void {
    const { code, functions, module } = this;
    const { element, length } = node;
    this.endBlock();
    const start = refusesEmpty ? this.names.unique("start") : "";
    if (refusesEmpty) code.reader(`const ${start} = r.pos;`);
    this.checkDepth(level + 1);
    const isWhole = each.tree.keys.length > 0;
    const isBits = isInBits(element);
    const made = each.lists.length;
    const weight = isWhole && !isBits ? module.weights.of(element) + made - 1 : made;
    this.#count(made + slotsOf(element, length) * weight);
    let count = String(length);
    if (length === 0) {
      count = this.names.unique("count");
      const read = isBits
        ? `${module.use("readBitCount")}(r)`
        : `${module.use("readCount")}(r, ${minBytesOf(element)}, ${weight})`;
      code.reader(`const ${count} = ${read};`);
      const slots = `Math.ceil(${count} / 8)${made === 2 ? "" : ` * ${made - 1}`}`;
      if (isBits && made > 1) code.line(`${module.use("countElements")}(r, ${slots});`);
    }
    if (refusesEmpty) code.line(`if (${count} === 0) throw ${module.use("notCanonical")}(${start});`);
    const bits = isBits ? this.names.unique("bits") : "";
    if (isBits) code.reader(`const ${bits} = ${module.use("readBits")}(r, ${count});`);
    const lists = new Map<Key, string>();
    for (const { key, path } of outputsOf(each.tree)) {
      const list = this.names.unique("list");
      code.line(`const ${list}${module.typed(`: ${functions.typeAt(node, [null, ...path])}`)} = [];`);
      lists.set(key, list);
      values.set(each.lists[key as number]!, list);
    }
    const reserves = length === 0 && !isBits && module.traits.hasCounts(element);
    this.loop(count, isBits ? 0 : minBytesOf(element), reserves, (i) => {
      const inner = this.#element(
        context,
        element,
        each.tree,
        level + 1,
        isBits ? `${module.use("bitAt")}(r, ${bits}, ${i})` : "",
      );
      this.endBlock();
      for (const [key, list] of lists) code.line(`${list}.push(${inner.get(key) ?? "undefined"});`);
    });
  }

  /** Reads wanted places in an element. `bit`: the test of its bit; "" for none. */
  #element(context: ReadContext, element: Node, tree: PathTree, level: number, bit: string): Values {
    const values: Values = new Map();
    if (bit === "") this.#inside(context, element, tree, level, values);
    else if (element.kind !== "nullable") this.#put(tree, bit, values);
    else {
      const { value } = element;
      const isWhole = tree.keys.length > 0;
      const absent = ({ path }: Output) => (path.length === 0 ? "null" : undefined);
      this.#branch(`if (${bit}) {`, value, tree, absent, values, "", (inner) => {
        if (isWhole) this.#count(this.module.weights.nullable(value));
        this.#inside(context, value, tree, level, inner);
      });
    }
    return values;
  }
}

function propertyName(path: readonly (string | null)[]): string {
  const name = path.findLast((step) => step !== null) ?? "item";
  return /^[A-Za-z]\w*$/.test(name) ? name : "item";
}
