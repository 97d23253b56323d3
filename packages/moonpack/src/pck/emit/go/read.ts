/**
 * Functions that read: for each struct and union one that reads it from a message at a position and answers the position
 * after it. They write every field, so that nothing is left of what a struct held before.
 *
 * The first error in the order of reading wins: a block that is longer than what is left is looked at item by item.
 */
import { type Member, minBytesOf, type Node, type Struct, type UnionNode } from "../../model/model.js";
import { type BlockItem, fixedParts } from "./block.js";
import { FunctionBody } from "./function.js";
import { leastOf, MAX_LEAST } from "./plan.js";
import type { Shared } from "./shared.js";
import { Lines, operand, times } from "./text.js";
import { absenceOf, PLAIN_TYPES, varintName, widthOf, zeroOf } from "./types.js";
import { depthAt } from "./write.js";

/** A map makes room for so many pairs at once; what a count says beyond that, the bytes have to prove. */
const MAX_ROOM = 1024;

/** Writes the readers. */
export class ReadEmitter {
  readonly #shared: Shared;
  readonly #run = (name: string): string => this.#shared.run(name);
  #body = new FunctionBody();
  /** Does the function take its depth? */
  #isDeep = false;
  /** What a function answers besides the position and an error: nothing, or a union that is nil. */
  #failed = "";

  constructor(shared: Shared) {
    this.#shared = shared;
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
        const value = this.#number(type, size === 1 ? `${p}[${at}]` : `${p}[${at}:]`);
        body.add(`${x} = ${own === undefined ? value : `${own}(${value})`}`);
      }
      at += size;
    }
    body.add(size === 1 ? "i++" : `i += ${size}`);
    return bits > 0 ? p : "";
  }

  /** The number of fixed width whose byte, or bytes, are `b`. */
  #number(type: Node, b: string): string {
    const width = widthOf(type);
    if (width === 1) return type.kind === "i8" ? `int8(${b})` : b;
    if (type.kind === "f32" || type.kind === "f64") return `${this.#run(type.kind.toUpperCase())}(${b})`;
    const bits = `${this.#shared.use("encoding/binary", `LittleEndian.Uint${8 * width}`)}(${b})`;
    return type.kind.startsWith("i") ? `int${8 * width}(${bits})` : bits;
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
      body.add(`${x} = ${this.#number(node, width === 1 ? "b[i]" : "b[i:]")}`, width === 1 ? "i++" : `i += ${width}`);
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
        this.#array(node, x, level);
        break;
      case "map":
        this.#map(node, x, level);
        break;
      case "nullable": {
        // as a map's value: arrays have bits of their own
        const isThere = body.fresh("isThere");
        body.add(`var ${isThere} bool`);
        this.#try(isThere, `${this.#run("Flag")}(b, i)`);
        body.block(`if ${isThere}`, () => this.#nullable(node.value, x, level));
      }
    }
  }

  /** A value that may be nil and is there. */
  #nullable(value: Node, x: string, level: number): void {
    if (value.kind !== "union") this.#body.add(`${x} = new(${this.#shared.type(value)})`);
    this.#node(value, value.kind === "union" || value.kind === "ref" ? x : `*${x}`, level);
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

  #array(node: Node & { readonly kind: "array" }, x: string, level: number): void {
    const { element, length } = node;
    const body = this.#body;
    this.#enter(level);
    const isInBits = element.kind === "bool" || element.kind === "nullable";
    const n = length > 0 ? String(length) : body.fresh("n");
    if (length === 0) {
      body.add(`var ${n} int`);
      this.#try(
        n,
        isInBits ? `${this.#run("BitCount")}(b, i, owed)` : `${this.#run("Count")}(b, i, owed, ${leastOf(element)})`,
      );
    }
    if (element.kind === "u8" && length === 0) {
      body.add(`${x} = append([]byte{}, b[i:i+${n}]...)`, `i += ${n}`);
      return;
    }
    const at = body.fresh("at");
    if (element.kind === "nullable") {
      body.add(`${at} := i`);
      body.block(`if i, ${body.err} = ${this.#run("Bits")}(b, i, ${n}); err != nil`, () => this.#fail("err"));
    }
    const list = length > 0 ? x : body.fresh("list");
    if (length === 0) body.add(`${list} := make([]${this.#shared.type(element)}, ${n})`);
    if (element.kind === "bool") {
      const whole = length > 0 ? `${operand(list)}[:]` : list;
      body.block(`if i, ${body.err} = ${this.#run("Bools")}(b, i, ${whole}); err != nil`, () => this.#fail("err"));
    } else if (widthOf(element) > 0) this.#numbers(element, list, length, n);
    else if (element.kind === "uvar") {
      const whole = length > 0 ? `${operand(list)}[:]` : list;
      body.block(`if i, ${body.err} = ${this.#run("Uvars")}(b, i, ${whole}); err != nil`, () => this.#fail("err"));
    } else {
      const k = body.fresh("k");
      const owes = length === 0 && !isInBits && this.#shared.plan.typeHasCounts(element);
      const least = leastOf(element);
      if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
      body.block(`for ${k} := range ${list}`, () => {
        if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
        if (element.kind !== "nullable") {
          this.#node(element, `${operand(list)}[${k}]`, level + 1);
          return;
        }
        body.lines.either(
          `if ${this.#run("Bit")}(b, ${at}, ${k})`,
          () => this.#nullable(element.value, `${operand(list)}[${k}]`, level + 1),
          // A fixed list is of the struct itself, and may hold old elements.
          length > 0 ? () => body.add(`${operand(list)}[${k}] = nil`) : undefined,
        );
      });
    }
    if (length === 0) body.add(`${x} = ${list}`);
  }

  /** Numbers of fixed width, which lie side by side. Of a list with a count, all are there. */
  #numbers(element: Node, list: string, length: number, n: string): void {
    const body = this.#body;
    const width = widthOf(element);
    if (length > 0) {
      body.block(`if len(b)-i < ${width * length}`, () => this.#fail(`${this.#run("CutShortEach")}(b, i, ${width})`));
    }
    if (element.kind === "u8") body.add(`copy(${operand(list)}[:], b[i:])`);
    else {
      const k = body.fresh("k");
      const at = width === 1 ? `b[i+${k}]` : `b[i+${times(width, k)}:]`;
      body.block(`for ${k} := range ${list}`, () => body.add(`${operand(list)}[${k}] = ${this.#number(element, at)}`));
    }
    body.add(`i += ${length > 0 ? width * length : times(width, n).replace("*", " * ")}`);
  }

  #map(node: Node & { readonly kind: "map" }, x: string, level: number): void {
    const body = this.#body;
    const { plan } = this.#shared;
    const least = Math.min(MAX_LEAST, minBytesOf(node.key) + minBytesOf(node.value));
    const [n, pairs, k] = [body.fresh("n"), body.fresh("pairs"), body.fresh("k")];
    const [key, value, last, at] = [body.fresh("key"), body.fresh("value"), body.fresh("last"), body.fresh("at")];
    const [keyType, valueType] = [this.#shared.type(node.key), this.#shared.type(node.value)];
    this.#enter(level);
    body.add(`var ${n} int`);
    this.#try(n, `${this.#run("Count")}(b, i, owed, ${least})`);
    body.add(`${pairs} := make(map[${keyType}]${valueType}, min(${n}, ${MAX_ROOM}))`, `var ${last} ${keyType}`);
    const owes = plan.typeHasCounts(node.value);
    if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
    body.block(`for ${k} := range ${n}`, () => {
      if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
      body.add(`${at} := i`, `var ${key} ${keyType}`);
      this.#node(node.key, key, level + 1);
      body.block(`if ${k} > 0 && ${key} <= ${last}`, () => this.#fail(`${this.#run("Fail")}("ERR_MAP_ORDER", ${at})`));
      body.add(`${last} = ${key}`, `var ${value} ${valueType}`);
      this.#node(node.value, value, level + 1);
      body.add(`${pairs}[${key}] = ${value}`);
    });
    body.add(`${x} = ${pairs}`);
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
