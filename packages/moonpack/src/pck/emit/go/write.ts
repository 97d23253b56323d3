/** Functions that write: for each struct and union one that appends a value's bytes to a slice. */
import { pathStep } from "../../../bytes/errors.js";
import type { Member, Node, Struct, UnionNode } from "../../model/model.js";
import { type BlockItem, fixedParts } from "./block.js";
import { FunctionBody } from "./function.js";
import { indexStep, keyStep, type Path, pathCode } from "./path.js";
import type { Shared } from "./shared.js";
import { bitsCode, byteCode, storeCode } from "./store.js";
import { Lines, operand, times } from "./text.js";
import { isVarint, PLAIN_TYPES, pointed, varintName, widthOf } from "./types.js";

/** Writes the writers. */
export class WriteEmitter {
  readonly #shared: Shared;
  #body = new FunctionBody();
  /** Does the function take its depth? */
  #isDeep = false;
  readonly #run = (name: string): string => this.#shared.run(name);

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** `func (v *T) encode(b []byte) []byte`, with an error and a depth where the struct needs them. */
  struct(struct: Struct): Lines {
    const { names, plan } = this.#shared;
    this.#body = new FunctionBody();
    this.#isDeep = plan.isDeep(struct);
    const canFail = plan.canFail(struct);
    if (this.#isDeep) this.#checkDepth("depth", []);
    this.#fields(struct);
    this.#body.add(canFail ? "return b, nil" : "return b");
    const results = canFail ? `([]byte, *${this.#shared.run("Error")})` : "[]byte";
    const depth = this.#isDeep ? ", depth int" : "";
    return this.#close(
      "// encode appends the fields of v.",
      `func (v *${names.struct(struct)}) encode(b []byte${depth}) ${results}`,
    );
  }

  /** `func encodeShape(b []byte, x Shape) ([]byte, *Error)`. */
  union(node: UnionNode): Lines {
    const { names, plan } = this.#shared;
    const { name, parts } = names.named(node);
    this.#body = new FunctionBody();
    this.#isDeep = plan.typeIsDeep(node);
    if (this.#isDeep) this.#checkDepth("depth", []);
    this.#body.add("switch arm := x.(type) {");
    for (const [place, { struct }] of node.arms.entries()) {
      this.#body.add(`case *${parts[place]!}:`);
      const inner = new FunctionBody();
      inner.block("if arm != nil", () => {
        inner.add(`b = ${this.#shared.run("AppendUvar")}(b, ${place})`);
        const call = `arm.Value.encode(b${plan.isDeep(struct) ? ", depth" : ""})`;
        inner.add(plan.canFail(struct) ? `return ${call}` : `return ${call}, nil`);
      });
      this.#body.lines.indent(() => this.#body.lines.take(inner.lines));
    }
    this.#body.add("}", `return b, ${this.#refusal("ERR_UNSUPPORTED_TYPE", [])}`);
    return this.#close(
      `// encode${name} appends an arm's place and fields.`,
      `func encode${name}(b []byte, x ${name}${this.#isDeep ? ", depth int" : ""}) ([]byte, *${this.#shared.run("Error")})`,
    );
  }

  #close(comment: string, head: string): Lines {
    const lines = new Lines();
    lines.add(comment);
    lines.block(head, () => {
      if (this.#body.usesErr) lines.add(`var err *${this.#shared.run("Error")}`);
      lines.take(this.#body.lines);
    });
    return lines;
  }

  #fields(struct: Struct): void {
    const { names } = this.#shared;
    const count = struct.optionals.length + struct.bools.length;
    const isSmall = count <= 8;
    const bit = (place: number) => `${isSmall ? "bits" : `bits[${place >> 3}]`}`;
    if (count > 0) this.#body.add(isSmall ? "var bits byte" : `var bits [${struct.storeBytes}]byte`);
    for (const [place, member] of [...struct.optionals, ...struct.bools].entries()) {
      const x = `v.${names.field(member)}`;
      const isThere = member.isOptional ? this.#shared.presence(member, x) : this.#plain(member, x);
      this.#body.block(`if ${isThere}`, () => this.#body.add(`${bit(place)} |= ${1 << (place & 7)}`));
    }
    const store = Array.from({ length: struct.storeBytes }, (_, k) => (isSmall ? "bits" : `bits[${k}]`));
    for (const [i, part] of fixedParts(struct, this.#shared).entries()) {
      if ("items" in part) this.#block(i === 0 ? store : [], part.items);
      else this.#field(part.member);
    }
    for (const member of struct.dynamic) this.#field(member);
    for (const [place, member] of struct.optionals.entries()) {
      this.#body.block(`if ${bit(place)}&${1 << (place & 7)} != 0`, () => this.#field(member));
    }
  }

  /** A field's value as a plain one of Go's. */
  #plain(member: Member, x: string): string {
    const isOwn = this.#shared.ownType(member) !== undefined;
    return isOwn ? `${PLAIN_TYPES[member.type.kind as keyof typeof PLAIN_TYPES]}(${x})` : x;
  }

  #field(member: Member): void {
    const x = `v.${this.#shared.names.field(member)}`;
    const path = [pathStep(member.name)];
    if (this.#shared.isRefPointer(member)) {
      this.#body.block(`if ${x} == nil`, () => this.#fail("ERR_UNSUPPORTED_TYPE", path));
    }
    const isRef = member.type.kind === "ref";
    const value = this.#shared.isPointer(member) && !isRef ? `*${x}` : x;
    this.#node(member.type, this.#plain(member, value), path, 0);
  }

  /** A block: one append of single bytes, or room for all that is then filled. */
  #block(store: readonly string[], items: readonly BlockItem[]): void {
    const size = store.length + items.reduce((sum, item) => sum + item.size, 0);
    if (size === 0) return;
    if (items.every((item) => item.member.type.kind === "u8" || item.member.type.kind === "i8")) {
      const values = [...store, ...items.map(({ member, x }) => byteCode(member.type, this.#plain(member, x)))];
      this.#body.add(`b = append(b, ${values.join(", ")})`);
      return;
    }
    const [only] = items;
    if (size === only?.size) {
      this.#node(only.member.type, this.#plain(only.member, only.x), [], 0);
      return;
    }
    const p = this.#body.fresh("p");
    this.#body.add(
      `b = ${this.#shared.run("Extend")}(b, ${size})`,
      `${p} := (*[${size}]byte)(b[len(b)-${size}:])`,
      ...store.map((value, k) => `${p}[${k}] = ${value}`),
    );
    let at = store.length;
    for (const { member, x, size } of items) {
      const { type } = member;
      if (type.kind === "bytes") this.#body.add(`copy(${p}[${at}:], ${x}[:])`);
      else this.#body.add(storeCode(this.#shared, type, `${p}`, at, this.#plain(member, x)));
      at += size;
    }
  }

  /** Appends the value `x`, which lies at `path` in the struct, in so many containers. */
  #node(node: Node, x: string, path: Path, level: number): void {
    const run = this.#run;
    const width = widthOf(node);
    if (width > 0) {
      if (width === 1) this.#body.add(`b = append(b, ${byteCode(node, x)})`);
      else {
        const append = this.#shared.use("encoding/binary", `LittleEndian.AppendUint${8 * width}`);
        this.#body.add(`b = ${append}(b, ${bitsCode(this.#shared, node, x)})`);
      }
      return;
    }
    switch (node.kind) {
      case "bool": // a map's value, or in nullable
        this.#body.add(`b = ${run("AppendFlag")}(b, ${x})`);
        break;
      case "ivar":
        this.#body.add(`b = ${run("AppendUvar")}(b, ${run("Zigzag")}(${x}))`);
        break;
      case "uvar":
      case "uvar64":
      case "ivar64":
        this.#body.add(`b = ${run(`Append${varintName(node)}`)}(b, ${x})`);
        break;
      case "enumeration":
        this.#body.block(`if ${x} >= ${node.values.length}`, () => this.#fail("ERR_OUT_OF_RANGE", path));
        this.#body.add(`b = ${run("AppendUvar")}(b, uint32(${x}))`);
        break;
      case "bytes":
        if (node.length > 0) this.#body.add(`b = append(b, ${operand(x)}[:]...)`);
        else this.#try(`${run("AppendBytes")}(b, ${x})`, path);
        break;
      case "utf8":
        this.#try(`${run("AppendText")}(b, ${x})`, path);
        break;
      case "ascii":
        if (node.length > 0) this.#try(`${run("AppendFixedASCII")}(b, ${x}, ${node.length})`, path);
        else this.#try(`${run("AppendASCII")}(b, ${x})`, path);
        break;
      case "ref":
        this.#ref(node.struct, x, path, level);
        break;
      case "union": {
        const depth = this.#shared.plan.typeIsDeep(node) ? `, ${depthAt(level + 1)}` : "";
        this.#try(`encode${this.#shared.names.named(node).name}(b, ${x}${depth})`, path);
        break;
      }
      case "array":
        this.#array(node, x, path, level);
        break;
      case "map":
        this.#map(node, x, path, level);
        break;
      case "nullable": // as a map's value: arrays have bits of their own
        this.#body.add(`b = ${run("AppendFlag")}(b, ${x} != nil)`);
        this.#body.block(`if ${x} != nil`, () => this.#node(node.value, pointed(node.value, x), path, level));
    }
  }

  #ref(struct: Struct, x: string, path: Path, level: number): void {
    const { plan, names } = this.#shared;
    if (this.#shared.isSmall(struct)) {
      for (const member of [...struct.fixed, ...struct.dynamic]) {
        this.#node(member.type, this.#plain(member, `${x}.${names.field(member)}`), path, level);
      }
      return;
    }
    const call = `${x}.encode(b${plan.isDeep(struct) ? `, ${depthAt(level + 1)}` : ""})`;
    if (plan.canFail(struct)) this.#try(call, path);
    else this.#body.add(`b = ${call}`);
  }

  #array(node: Node & { readonly kind: "array" }, x: string, path: Path, level: number): void {
    const { element, length } = node;
    const run = this.#run;
    this.#enter(path, level);
    if (length === 0) this.#try(`${run("AppendCount")}(b, len(${x}))`, path);
    const list = length === 0 ? x : `${operand(x)}[:]`;
    if (element.kind === "u8") this.#body.add(`b = append(b, ${list}...)`);
    else if (element.kind === "bool") this.#body.add(`b = ${run("AppendBools")}(b, ${list})`);
    else if (element.kind === "nullable") this.#nullables(element.value, x, list, path, level);
    else if (widthOf(element) > 0) {
      const [at, k, item] = [this.#body.fresh("at"), this.#body.fresh("k"), this.#body.fresh("item")];
      const width = widthOf(element);
      this.#body.add(`${at} := len(b)`, `b = ${run("Extend")}(b, ${times(width, `len(${x})`)})`);
      this.#body.block(`for ${k}, ${item} := range ${list}`, () =>
        this.#body.add(storeCode(this.#shared, element, "b", `${at}+${times(width, k)}`, item)),
      );
    } else if (element.kind === "uvar") this.#body.add(`b = ${run("AppendUvars")}(b, ${list})`);
    else if (isVarint(element)) {
      const item = this.#body.fresh("item");
      this.#body.block(`for _, ${item} := range ${list}`, () => this.#node(element, item, path, level + 1));
    } else {
      const k = this.#body.fresh("k");
      this.#body.block(`for ${k} := range ${list}`, () =>
        this.#node(element, `${operand(x)}[${k}]`, [...path, indexStep(this.#shared, k)], level + 1),
      );
    }
  }

  #nullables(value: Node, x: string, list: string, path: Path, level: number): void {
    const [at, k, item] = [this.#body.fresh("at"), this.#body.fresh("k"), this.#body.fresh("item")];
    this.#body.add(`${at} := len(b)`, `b = ${this.#shared.run("AppendZeros")}(b, len(${x}))`);
    this.#body.block(`for ${k}, ${item} := range ${list}`, () => {
      this.#body.block(`if ${item} == nil`, () => this.#body.add("continue"));
      this.#body.add(`b[${at}+${k}>>3] |= 1 << (${k} & 7)`);
      this.#node(value, pointed(value, item), [...path, indexStep(this.#shared, k)], level + 1);
    });
  }

  #map(node: Node & { readonly kind: "map" }, x: string, path: Path, level: number): void {
    const run = this.#run;
    this.#enter(path, level);
    this.#try(`${run("AppendCount")}(b, len(${x}))`, path);
    const [key, value] = [this.#body.fresh("key"), this.#body.fresh("value")];
    this.#body.block(`for _, ${key} := range ${run("SortedKeys")}(${x})`, () => {
      const inner = [...path, keyStep(this.#shared, node.key, key)];
      this.#node(node.key, key, inner, level + 1);
      // Of an empty struct nothing is written, and what is not used does not compile.
      const { value: held } = node;
      if (held.kind === "ref" && held.struct.members.length === 0 && this.#shared.isSmall(held.struct)) return;
      this.#body.add(`${value} := ${operand(x)}[${key}]`);
      this.#node(node.value, value, inner, level + 1);
    });
  }

  /** A container begins: where depth counts, it is checked. */
  #enter(path: Path, level: number): void {
    if (this.#isDeep) this.#checkDepth(depthAt(level + 1), path);
  }

  #checkDepth(depth: string, path: Path): void {
    this.#body.block(`if ${depth} > ${this.#shared.run("MaxDepth")}`, () => this.#fail("ERR_LIMIT_DEPTH", path));
  }

  #fail(code: string, path: Path): void {
    this.#body.add(`return b, ${this.#refusal(code, path)}`);
  }

  #refusal(code: string, path: Path): string {
    return `${this.#shared.run("Refuse")}("${code}", ${pathCode(path, "+")})`;
  }

  /** Appends by a call that may fail. */
  #try(call: string, path: Path): void {
    const { err } = this.#body;
    this.#body.block(`if b, ${err} = ${call}; err != nil`, () =>
      this.#body.add(path.length === 0 ? "return b, err" : `return b, err.In(${pathCode(path, " + ")})`),
    );
  }
}

/** The depth of what lies in so many containers, and in the struct at `depth`. */
export function depthAt(level: number): string {
  return level === 0 ? "depth" : `depth+${level}`;
}
