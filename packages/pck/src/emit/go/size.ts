/** Functions that measure how many bytes a value takes. */
import { knownBytesOf, type Member, type Node, type Struct, type UnionNode } from "../../model/model.js";
import type { GoContext } from "./context.js";
import type { FunctionBody } from "./function-body.js";
import { depthAt, Lines, operand } from "./text.js";
import { isPointer, isVarint, pointed, varintName } from "./types.js";

/**
 * Emits the functions that measure. A value that cannot be written has some size; a value that is nested too deeply
 * gives less than 0, because it may contain itself.
 */
export class SizeEmitter {
  readonly #context: GoContext;
  readonly #runtime = (name: string): string => this.#context.runtime(name);
  #body: FunctionBody;
  #known = 0;
  /** The variable of the sum so far. */
  #sum = "";
  /** The levels whose depth was checked, and the number of conditions around the current value. */
  #levels = 0;
  #conditions = 0;

  constructor(context: GoContext) {
    this.#context = context;
    this.#body = context.body();
  }

  /** `func (v *T) size() int`, with a depth if the struct needs it. */
  struct(struct: Struct): Lines {
    const { names, needs } = this.#context;
    this.#body = this.#context.body();
    this.#known = struct.storeBytes;
    this.#levels = 0;
    this.#sum = this.#body.newName("n");
    const isDeep = needs.isDeep(struct);
    const self = this.#context.receiver(struct);
    for (const member of [...struct.fixed, ...struct.dynamic]) this.#field(member, `${self}.${names.field(member)}`);
    for (const member of struct.optionals) {
      const x = `${self}.${names.field(member)}`;
      this.#apart(`if ${this.#context.presence(member, x)}`, () => this.#field(member, x));
    }
    const known = this.#known;
    const { lines } = this.#body;
    const result = new Lines();
    result.add(
      isDeep
        ? `// size returns how many bytes the fields of ${self} take, or less than 0 if they are nested too deeply.`
        : `// size returns how many bytes the fields of ${self} take.`,
    );
    result.block(`func (${self} *${names.struct(struct)}) size(${isDeep ? "depth int" : ""}) int`, () => {
      if (isDeep) result.block(`if depth > ${this.#runtime("MaxDepth")}`, () => result.add("return -1"));
      if (lines.isEmpty) {
        result.add(`return ${known}`);
        return;
      }
      result.add(`${this.#sum} := ${known}`);
      result.append(lines);
      result.add(`return ${this.#sum}`);
    });
    return result;
  }

  /** `func sizeShape(x Shape) int`. */
  union(node: UnionNode): Lines {
    const { names, needs } = this.#context;
    const { name, parts } = names.named(node);
    const isDeep = needs.typeIsDeep(node);
    const result = new Lines();
    result.add(`// size${name} returns how many bytes an arm's index and fields take.`);
    result.block(`func size${name}(x ${name}${isDeep ? ", depth int" : ""}) int`, () => {
      if (isDeep) result.block(`if depth > ${this.#runtime("MaxDepth")}`, () => result.add("return -1"));
      result.add("switch arm := x.(type) {");
      for (const [place, { struct }] of node.arms.entries()) {
        result.add(`case *${parts[place]!}:`);
        result.indent(() =>
          result.block("if arm != nil", () => {
            const placeBytes = place < 0x80 ? 1 : place < 0x4000 ? 2 : 3;
            if (!needs.isDeep(struct)) {
              result.add(`return ${placeBytes} + arm.Value.size()`);
              return;
            }
            result.block("if m := arm.Value.size(depth); m >= 0", () => result.add(`return ${placeBytes} + m`));
            result.add("return -1");
          }),
        );
      }
      result.add("}", "return 0");
    });
    return result;
  }

  #field(member: Member, x: string): void {
    this.#node(member.type, isPointer(member) ? pointed(member.type, x) : x, 0);
  }

  /** Measures inside a condition. What is known there holds only there. */
  #apart(head: string, measure: () => void): void {
    const { known, body } = this.#inside(measure);
    if (known === 0 && body.isEmpty) return;
    this.#body.block(head, () => {
      if (known > 0) this.#body.add(known === 1 ? `${this.#sum}++` : `${this.#sum} += ${known}`);
      this.#body.lines.append(body);
    });
  }

  /**
   * Measures each element of a list or map. `head` returns the head of the loop, with only the variables that are
   * used.
   */
  #each(list: string, head: (isUsed: (name: string) => boolean) => string, measure: () => void): void {
    const { known, body } = this.#inside(measure);
    const size = `len(${list})`;
    if (body.isEmpty) {
      if (known > 0) this.#add(known === 1 ? size : `${known} * ${size}`);
      return;
    }
    if (known > 0) this.#add(known === 1 ? size : `${known} * ${size}`);
    const text = body.text();
    this.#body.block(
      head((name) => new RegExp(`\\b${name}\\b`).test(text)),
      () => this.#body.lines.append(body),
    );
  }

  #inside(measure: () => void): { known: number; body: Lines } {
    const outside = this.#known;
    this.#known = 0;
    const body = new Lines();
    const outer = this.#body.swap(body);
    this.#conditions++;
    measure();
    this.#conditions--;
    this.#body.swap(outer);
    const known = this.#known;
    this.#known = outside;
    return { known, body };
  }

  #node(node: Node, source: string, level: number): void {
    const known = knownBytesOf(node);
    if (known >= 0 && node.kind !== "bool" && !this.#context.needs.typeIsDeep(node)) {
      this.#known += known;
      return;
    }
    const run = this.#runtime;
    const x = this.#context.plain(node, source);
    switch (node.kind) {
      case "bool": // a map's value, or nullable
        this.#known++;
        break;
      case "enumeration":
        if (node.values.length <= 0x80) this.#known++;
        else this.#add(`${run("UvarSize")}(uint32(${x}))`);
        break;
      case "uvar":
      case "ivar":
      case "uvar64":
      case "ivar64":
        this.#add(`${run(`${varintName(node)}Size`)}(${x})`);
        break;
      case "utf8":
        this.#add(`${run("TextSize")}(len(${x}))`);
        break;
      case "bytes":
      case "ascii":
        if (node.length > 0) this.#known += node.length;
        else this.#add(`${run("TextSize")}(len(${x}))`);
        break;
      case "ref":
        if (this.#context.isRefPointer(node)) this.#apart(`if ${x} != nil`, () => this.#ref(node.struct, x, level));
        else this.#ref(node.struct, x, level);
        break;
      case "union": {
        const call = `size${this.#context.names.named(node).name}(${x}`;
        if (this.#context.needs.typeIsDeep(node)) this.#deep(`${call}, ${depthAt(level + 1)})`);
        else this.#add(`${call})`);
        break;
      }
      case "array":
        this.#array(node, x, level);
        break;
      case "map":
        this.#map(node, x, level);
        break;
      case "nullable": // a map's value
        this.#known++;
        this.#apart(`if ${x} != nil`, () => this.#node(node.value, pointed(node.value, x), level));
    }
  }

  #ref(struct: Struct, x: string, level: number): void {
    const isDeep = this.#context.needs.isDeep(struct);
    if (!this.#context.isSmall(struct)) {
      if (isDeep) this.#deep(`${x}.size(depth + ${level + 1})`);
      else this.#add(`${x}.size()`);
      return;
    }
    if (isDeep) this.#checkDepth(level + 1);
    for (const member of struct.members) {
      this.#node(member.type, `${x}.${this.#context.names.field(member)}`, level);
    }
  }

  #array(node: Node & { readonly kind: "array" }, x: string, level: number): void {
    const { element, length } = node;
    if (length === 0) this.#add(`${this.#runtime("CountSize")}(len(${x}))`);
    const isInBits = element.kind === "bool" || element.kind === "nullable";
    if (isInBits && length > 0) this.#known += Math.ceil(length / 8);
    else if (isInBits) this.#add(`(len(${x}) + 7) / 8`);
    if (element.kind === "bool") return;
    if (element.kind === "nullable" || isVarint(element)) {
      const item = this.#body.newName("item");
      const list = length === 0 ? x : `${operand(x)}[:]`;
      this.#each(
        x,
        () => `for _, ${item} := range ${list}`,
        () => {
          if (element.kind !== "nullable") this.#node(element, item, level + 1);
          else
            this.#apart(`if ${item} != nil`, () => this.#node(element.value, pointed(element.value, item), level + 1));
        },
      );
      return;
    }
    const k = this.#body.newName("k");
    this.#each(
      x,
      (isUsed) => (isUsed(k) ? `for ${k} := range ${x}` : `for range ${x}`),
      () => this.#node(element, `${operand(x)}[${k}]`, level + 1),
    );
  }

  #map(node: Node & { readonly kind: "map" }, x: string, level: number): void {
    this.#add(`${this.#runtime("CountSize")}(len(${x}))`);
    const [key, value] = [this.#body.newName("key"), this.#body.newName("value")];
    this.#each(
      x,
      (isUsed) => {
        if (isUsed(value)) return `for ${isUsed(key) ? key : "_"}, ${value} := range ${x}`;
        return isUsed(key) ? `for ${key} := range ${x}` : `for range ${x}`;
      },
      () => {
        this.#node(node.key, key, level + 1);
        this.#node(node.value, value, level + 1);
      },
    );
  }

  #add(x: string): void {
    this.#body.add(`${this.#sum} += ${x}`);
  }

  #checkDepth(levels: number): void {
    if (levels <= this.#levels) return;
    // A check inside a condition holds only there.
    if (this.#conditions === 0) this.#levels = levels;
    this.#body.block(`if ${depthAt(levels)} > ${this.#runtime("MaxDepth")}`, () => this.#body.add("return -1"));
  }

  /** Adds a size that may be less than 0. */
  #deep(call: string): void {
    const m = this.#body.newName("m");
    this.#body.add(`${m} := ${call}`);
    this.#body.block(`if ${m} < 0`, () => this.#body.add("return -1"));
    this.#add(m);
  }
}
