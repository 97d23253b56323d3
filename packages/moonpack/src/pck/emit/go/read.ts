/**
 * Functions that read: for each struct and union one that reads it from a message at a position and answers the position
 * after it. They write every field, so that nothing is left of what a struct held before.
 *
 * The first error in the order of reading wins: a block that is longer than what is left is looked at item by item.
 */
import type { Member, Node, Struct, UnionNode } from "../../model/model.js";
import { type BlockItem, fixedParts } from "./block.js";
import { FunctionBody } from "./function.js";
import { ContainerEmitter } from "./read-containers.js";
import type { Shared } from "./shared.js";
import { numberCode } from "./store.js";
import { Lines } from "./text.js";
import { absenceOf, PLAIN_TYPES, varintName, widthOf, zeroOf } from "./types.js";
import { depthAt } from "./write.js";

/** Writes the readers. */
export class ReadEmitter {
  readonly #shared: Shared;
  readonly #run = (name: string): string => this.#shared.run(name);
  #body = new FunctionBody();
  /** Does the function take its depth? */
  #isDeep = false;
  /** What a function answers besides the position and an error: nothing, or a union that is nil. */
  #failed = "";

  readonly #containers: ContainerEmitter;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#containers = new ContainerEmitter(shared, {
      body: () => this.#body,
      node: (node, x, level) => this.#node(node, x, level),
      enter: (level) => this.#enter(level),
      attempt: (x, call) => this.#try(x, call),
      fail: (error) => this.#fail(error),
    });
  }

  /** `func (v *T) decode(b []byte, i int) (int, *Error)`, with what the struct needs besides. */
  struct(struct: Struct): Lines {
    const { names, plan } = this.#shared;
    this.#body = new FunctionBody();
    this.#failed = "";
    this.#isDeep = plan.isDeep(struct);
    if (this.#isDeep) this.#checkDepth("depth");
    this.#fields(struct);
    this.#body.add("return i, nil");
    const parameters = ["i", ...(this.#isDeep ? ["depth"] : []), ...(plan.hasCounts(struct) ? ["owed"] : [])];
    return this.#close(
      "// decode reads the fields of v at i and answers where they end.",
      `func (v *${names.struct(struct)}) decode(b []byte, ${parameters.join(", ")} int) (int, *${this.#run("Error")})`,
    );
  }

  /** What a call of a struct's `decode` passes besides the message and the position. */
  rootArguments(struct: Struct): string {
    const { plan } = this.#shared;
    return `${plan.isDeep(struct) ? ", 1" : ""}${plan.hasCounts(struct) ? ", 0" : ""}`;
  }

  /** `func decodeShape(b []byte, i int) (Shape, int, *Error)`. */
  union(node: UnionNode): Lines {
    const { names, plan } = this.#shared;
    const { name, parts } = names.named(node);
    this.#body = new FunctionBody();
    this.#failed = "nil, ";
    this.#isDeep = plan.typeIsDeep(node);
    if (this.#isDeep) this.#checkDepth("depth");
    const last = node.arms.length - 1;
    const place = last === 0 ? "_" : "place";
    const body = this.#body;
    if (last > 0) body.add("var place uint32");
    body.block(`if ${place}, i, ${body.err} = ${this.#run("Place")}(b, i, ${node.arms.length}); err != nil`, () =>
      this.#fail("err"),
    );
    const readArm = (at: number) => {
      const { struct } = node.arms[at]!;
      body.add(`arm := new(${parts[at]!})`);
      this.#ref(struct, "arm.Value", -1);
      body.add("return arm, i, nil");
    };
    if (last > 0) {
      body.add("switch place {");
      for (let at = 0; at < last; at++) {
        body.add(`case ${at}:`);
        body.lines.indent(() => readArm(at));
      }
      body.add("}");
    }
    readArm(last);
    const hasCounts = plan.typeHasCounts(node);
    const parameters = ["i", ...(this.#isDeep ? ["depth"] : []), ...(hasCounts ? ["owed"] : [])].join(", ");
    return this.#close(
      `// decode${name} reads an arm's place and fields.`,
      `func decode${name}(b []byte, ${parameters} int) (${name}, int, *${this.#run("Error")})`,
    );
  }

  #close(comment: string, head: string): Lines {
    const lines = new Lines();
    lines.add(comment);
    lines.block(head, () => {
      if (this.#body.usesErr) lines.add(`var err *${this.#run("Error")}`);
      lines.take(this.#body.lines);
    });
    return lines;
  }

  #fields(struct: Struct): void {
    const { names } = this.#shared;
    const body = this.#body;
    const bits = struct.optionals.length + struct.bools.length;
    let store = "";
    for (const [at, part] of fixedParts(struct, this.#shared).entries()) {
      if (!("items" in part)) this.#field(part.member);
      else store = this.#block(at === 0 ? bits : 0, part.items) || store;
    }
    const bit = (place: number) => `${bits <= 8 ? "bits" : `${store}[${place >> 3}]`}&${1 << (place & 7)} != 0`;
    for (const [at, member] of struct.bools.entries()) {
      const isSet = bit(struct.optionals.length + at);
      const own = this.#shared.ownType(member);
      body.add(`v.${names.field(member)} = ${own === undefined ? isSet : `${own}(${isSet})`}`);
    }
    for (const member of struct.dynamic) this.#field(member);
    for (const [place, member] of struct.optionals.entries()) {
      body.lines.either(
        `if ${bit(place)}`,
        () => this.#optional(member),
        () => body.add(`v.${names.field(member)} = ${zeroOf(member)}`),
      );
    }
  }

  /** A block, behind a store of so many bits; answers the variable that the store is in. */
  #block(bits: number, items: readonly BlockItem[]): string {
    const storeBytes = Math.ceil(bits / 8);
    const size = storeBytes + items.reduce((sum, item) => sum + item.size, 0);
    if (size === 0) return "";
    const body = this.#body;
    const sizes = items.map((item) => item.size);
    body.block(size === 1 ? "if i >= len(b)" : `if len(b)-i < ${size}`, () =>
      this.#fail(`${this.#run("CutShort")}(${["b", "i", bits, ...sizes].join(", ")})`),
    );
    const p = body.fresh("p");
    body.add(`${p} := (*[${size}]byte)(b[i:])`);
    if (bits > 0) {
      const isSmall = bits <= 8;
      if (isSmall) body.add(`bits := ${p}[0]`);
      const last = isSmall ? "bits" : `${p}[${storeBytes - 1}]`;
      if (bits % 8 !== 0) {
        body.block(`if ${last}>>${bits % 8} != 0`, () => this.#fail(`${this.#run("Fail")}("ERR_INVALID_PADDING", i)`));
      }
    }
    let at = storeBytes;
    for (const { member, x, size } of items) {
      const { type } = member;
      const own = this.#shared.ownType(member);
      if (type.kind === "bytes") body.add(`${x} = [${size}]byte(${p}[${at}:${at + size}])`);
      else {
        const value = numberCode(this.#shared, type, size === 1 ? `${p}[${at}]` : `${p}[${at}:]`);
        body.add(`${x} = ${own === undefined ? value : `${own}(${value})`}`);
      }
      at += size;
    }
    body.add(size === 1 ? "i++" : `i += ${size}`);
    return bits > 0 ? p : "";
  }

  /** A field that is present. One with a value that means absent is refused. */
  #optional(member: Member): void {
    if (absenceOf(member) === "nil") {
      this.#field(member);
      return;
    }
    const at = this.#body.fresh("at");
    const x = `v.${this.#shared.names.field(member)}`;
    this.#body.add(`${at} := i`);
    this.#field(member);
    const isThere = this.#shared.presence(member, x);
    const isAbsent = isThere.startsWith("len(") ? isThere.replace(" > ", " == ") : isThere.replace(" != ", " == ");
    this.#body.block(`if ${isAbsent}`, () => this.#fail(`${this.#run("Fail")}("ERR_NOT_CANONICAL", ${at})`));
  }

  #field(member: Member): void {
    const { type } = member;
    const body = this.#body;
    const x = `v.${this.#shared.names.field(member)}`;
    const isPointer = this.#shared.isPointer(member);
    if (isPointer) body.add(`${x} = new(${this.#shared.valueType(member)})`);
    this.#value(member, isPointer && type.kind !== "ref" ? `*${x}` : x, 0);
  }

  /** Reads a field's value into `x`, whatever its type in Go is. */
  #value(member: Member, x: string, level: number): void {
    const { type } = member;
    const own = this.#shared.ownType(member);
    if (own === undefined) {
      this.#node(type, x, level);
      return;
    }
    const plain = this.#body.fresh("plain");
    this.#body.add(`var ${plain} ${PLAIN_TYPES[type.kind as keyof typeof PLAIN_TYPES]}`);
    this.#node(type, plain, level);
    this.#body.add(`${x} = ${own}(${plain})`);
  }

  /** Reads a value into `x`, in so many containers of the struct. */
  #node(node: Node, x: string, level: number): void {
    const body = this.#body;
    const width = widthOf(node);
    if (width > 0) {
      body.block(width === 1 ? "if i >= len(b)" : `if len(b)-i < ${width}`, () =>
        this.#fail(`${this.#run("CutShort")}(b, i, 0, ${width})`),
      );
      body.add(
        `${x} = ${numberCode(this.#shared, node, width === 1 ? "b[i]" : "b[i:]")}`,
        width === 1 ? "i++" : `i += ${width}`,
      );
      return;
    }
    const text = this.#shared.settings.strings === "view" ? "View" : "";
    switch (node.kind) {
      case "bool": // a map's value, or in nullable
        this.#try(x, `${this.#run("Flag")}(b, i)`);
        break;
      case "uvar":
      case "ivar":
        body.add("if i < len(b) && b[i] < 0x80 {");
        body.lines.indent(() =>
          body.add(`${x} = ${node.kind === "uvar" ? "uint32(b[i])" : "int32(b[i]>>1) ^ -int32(b[i]&1)"}`, "i++"),
        );
        body.block(`} else if ${x}, i, ${body.err} = ${this.#run(varintName(node))}(b, i); err != nil`, () =>
          this.#fail("err"),
        );
        break;
      case "uvar64":
      case "ivar64":
        this.#try(x, `${this.#run(varintName(node))}(b, i)`);
        break;
      case "enumeration": {
        const place = body.fresh("place");
        body.add(`var ${place} uint32`);
        this.#try(place, `${this.#run("Place")}(b, i, ${node.values.length})`);
        body.add(`${x} = ${this.#shared.type(node)}(${place})`);
        break;
      }
      case "bytes":
        if (node.length === 0) this.#try(x, `${this.#run("Bytes")}(b, i)`);
        else {
          body.block(`if len(b)-i < ${node.length}`, () =>
            this.#fail(`${this.#run("CutShort")}(b, i, 0, ${node.length})`),
          );
          body.add(`${x} = [${node.length}]byte(b[i : i+${node.length}])`, `i += ${node.length}`);
        }
        break;
      case "utf8":
        this.#try(x, `${this.#run(`Text${text}`)}(b, i)`);
        break;
      case "ascii":
        if (node.length === 0) this.#try(x, `${this.#run(`ASCII${text}`)}(b, i)`);
        else this.#try(x, `${this.#run(`FixedASCII${text}`)}(b, i, ${node.length})`);
        break;
      case "ref":
        this.#ref(node.struct, x, level);
        break;
      case "union": {
        const { plan, names } = this.#shared;
        const depth = plan.typeIsDeep(node) ? `, ${depthAt(level + 1)}` : "";
        const owed = plan.typeHasCounts(node) ? ", owed" : "";
        this.#try(x, `decode${names.named(node).name}(b, i${depth}${owed})`);
        break;
      }
      case "array":
        this.#containers.array(node, x, level);
        break;
      case "map":
        this.#containers.map(node, x, level);
        break;
      case "nullable": {
        // as a map's value: arrays have bits of their own
        const isThere = body.fresh("isThere");
        body.add(`var ${isThere} bool`);
        this.#try(isThere, `${this.#run("Flag")}(b, i)`);
        body.block(`if ${isThere}`, () => this.#containers.nullable(node.value, x, level));
      }
    }
  }

  #ref(struct: Struct, x: string, level: number): void {
    const { plan, names } = this.#shared;
    if (this.#shared.isSmall(struct)) {
      for (const member of [...struct.fixed, ...struct.dynamic]) {
        this.#value(member, `${x}.${names.field(member)}`, level);
      }
      return;
    }
    const depth = plan.isDeep(struct) ? `, ${depthAt(level + 1)}` : "";
    const owed = plan.hasCounts(struct) ? ", owed" : "";
    const { err } = this.#body;
    this.#body.block(`if i, ${err} = ${x}.decode(b, i${depth}${owed}); err != nil`, () => this.#fail("err"));
  }

  /** A container begins: where depth counts, it is checked. */
  #enter(level: number): void {
    if (this.#isDeep) this.#checkDepth(depthAt(level + 1));
  }

  #checkDepth(depth: string): void {
    this.#body.block(`if ${depth} > ${this.#run("MaxDepth")}`, () =>
      this.#fail(`${this.#run("Fail")}("ERR_LIMIT_DEPTH", i)`),
    );
  }

  /** Reads `x` by a call that may fail. */
  #try(x: string, call: string): void {
    this.#body.block(`if ${x}, i, ${this.#body.err} = ${call}; err != nil`, () => this.#fail("err"));
  }

  #fail(error: string): void {
    this.#body.add(`return ${this.#failed}i, ${error}`);
  }
}
