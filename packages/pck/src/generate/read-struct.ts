/**
 * Source text of the functions that read structs and unions. Each run of fixed-width fields has one check of bounds,
 * then its bytes are read at `p`. Varints of one byte are read inline. The result is an object literal in the order
 * of declaration.
 */

import { isObjectMap, typedArrayOf } from "../closures/representation.js";
import { knownBytesOf, type Member, type Node, type Struct, type UnionNode } from "../model/model.js";
import { Code, entryOf, quoted } from "./code.js";
import { type Module, ownerName } from "./module.js";
import { camel, type Names } from "./names.js";
import { type ReadContext, readExpression, readInto, readLocalUvar } from "./read-values.js";
import { ReaderCode } from "./reader-code.js";
import { isWide, memberType, structType } from "./types.js";

/** Items that share one check of bounds, at most. */
const BLOCK_ITEMS = 64;
const LINE_WIDTH = 110;

/** A fixed-width item of a block. */
export interface BlockItem {
  /** The size in bytes; below 0, the number of bits of a bit store, negated. */
  readonly size: number;
  /** Reads the item at `offset` bytes after `p`. */
  read(offset: number): void;
}

/** A struct that this function reads, and the expressions of its fields. */
export interface Scope {
  readonly struct: Struct;
  readonly stem: string;
  /** How many levels it lies below the struct of the function. */
  readonly level: number;
  readonly values: Map<Member, string>;
}

/** The body of a function that reads a struct. */
export class StructReader {
  protected readonly context: ReadContext;
  protected readonly module: Module;
  protected readonly code = new ReaderCode();
  protected readonly names: Names;
  #block: BlockItem[] = [];

  constructor(module: Module, struct: Struct, names: Names) {
    this.module = module;
    this.names = names;
    const isDeep = module.traits.isDeep(struct);
    this.context = { module, code: this.code, names, isDeep, owner: "" };
  }

  /** Writes the body that reads the struct. `first`: an entry of the object before its fields. */
  body(struct: Struct, first: string | null): string {
    const scope: Scope = { struct, stem: "", level: 0, values: new Map() };
    this.#readStruct(scope);
    return this.bodyText(() => this.#returnValue(scope, first));
  }

  /** Returns the text of the body. `finish` writes its last statements. */
  protected bodyText(finish: () => void): string {
    const { code } = this;
    this.endBlock();
    code.toReader();
    finish();
    const head = [...code.head()];
    if (this.context.isDeep) head.unshift(`${this.module.use("checkDepth")}(r, depth);`);
    code.insert(0, head);
    return code.toString();
  }

  /** Returns the object, on one line if it fits. */
  #returnValue(scope: Scope, first: string | null): void {
    if (this.module.classOf(scope.struct) !== null) return this.#returnInstance(scope);
    const entries = this.#entries(scope, first);
    const line = `return ${literal(entries)};`;
    if (line.length <= LINE_WIDTH) return this.code.line(line);
    this.code.open("return {");
    this.code.line(...entries.map((entry) => `${entry},`));
    this.code.close("};");
  }

  /** Returns an instance of a class. The arm's reader adds the discriminator of a union. */
  #returnInstance(scope: Scope): void {
    const line = `return ${this.#expression(scope)};`;
    if (line.length <= LINE_WIDTH) return this.code.line(line);
    this.code.open(`return new ${this.module.nameOf(scope.struct)}(`);
    this.code.line(...this.#arguments(scope).map((value) => `${value},`));
    this.code.close(");");
  }

  #arguments({ struct, values }: Scope): readonly string[] {
    return struct.members.map((member) => values.get(member)!);
  }

  /** Returns the struct's value as an expression on one line. */
  #expression(scope: Scope): string {
    if (this.module.classOf(scope.struct) === null) return literal(this.#entries(scope, null));
    return `new ${this.module.nameOf(scope.struct)}(${this.#arguments(scope).join(", ")})`;
  }

  #entries({ struct, values }: Scope, first: string | null): readonly string[] {
    const prototype = this.module.target.prototypeOf(struct);
    const entries = prototype === null ? [] : [`__proto__: ${prototype}`];
    if (first !== null) entries.push(first);
    for (const member of struct.members) entries.push(entryOf(member.name, values.get(member)!));
    return entries;
  }

  #nameFor(scope: Scope, member: Member): string {
    return this.names.unique(scope.stem === "" ? member.name : camel(scope.stem, member.name));
  }

  #readStruct(scope: Scope): void {
    const { struct } = scope;
    const bits = this.readStore(scope);
    for (const member of [...struct.fixed, ...struct.dynamic]) this.readRequired(scope, member);
    if (struct.optionals.length > 0) this.endBlock();
    for (const [i, member] of struct.optionals.entries()) this.readOptional(scope, member, bits(i));
  }

  /** Reads the bit store. Returns a function that gives the test of a bit. `isUsed`: false for a byte of which no bit is tested. */
  protected readStore({ struct, values }: Scope, isUsed = (_byte: number) => true): (i: number) => string {
    const count = struct.optionals.length + struct.bools.length;
    if (count === 0) return () => "";
    const { storeBytes } = struct;
    const stores = Array.from({ length: storeBytes }, () => this.names.unique("bits"));
    this.addItem({
      size: -count,
      read: (offset) => {
        const spare = count & 7;
        for (const [i, name] of stores.entries()) {
          if (isUsed(i) || (spare > 0 && i === storeBytes - 1))
            this.code.line(`const ${name} = ${this.code.bytes()}[${at(offset + i)}]${this.#bang};`);
        }
        if (spare === 0) return;
        const error = `${this.module.use("notPadded")}(${at(offset)})`;
        this.code.line(`if (${stores.at(-1)} > ${(1 << spare) - 1}) throw ${error};`);
      },
    });
    const bit = (i: number) => `(${stores[i >> 3]} & ${1 << (i & 7)}) !== 0`;
    for (const [i, member] of struct.bools.entries()) values.set(member, bit(struct.optionals.length + i));
    return bit;
  }

  get #bang(): string {
    return this.module.typed("!");
  }

  protected readRequired(scope: Scope, member: Member): void {
    const { type } = member;
    const inner = this.module.traits.inlined(member);
    if (inner !== null) {
      const stem = scope.stem === "" ? member.name : camel(scope.stem, member.name);
      const nested: Scope = { struct: inner, stem, level: 0, values: new Map() };
      this.#readStruct(nested);
      scope.values.set(member, this.#expression(nested));
      return;
    }
    const name = this.#nameFor(scope, member);
    scope.values.set(member, name);
    const size = knownBytesOf(type);
    const fixed = (p: string) => this.#fixed(type, p);
    if (fixed("p") !== null) {
      this.addItem({ size, read: (offset) => this.code.line(`const ${name} = ${fixed(at(offset))};`) });
      return;
    }
    this.endBlock();
    const context = this.contextOf(scope, member);
    if (this.code.isLocal || type.kind === "uvar" || type.kind === "ivar") {
      const value = this.#readLocal(context, type, name, false);
      if (value !== null) {
        scope.values.set(member, value);
        return;
      }
    }
    readInto(context, type, scope.level, { name, isDeclared: false });
  }

  protected contextOf({ struct }: Scope, member: Member): ReadContext {
    return { ...this.context, owner: ownerName(this.module, struct, member) };
  }

  /** Returns the expression of a fixed-width number after its bounds were checked; null for other types. */
  #fixed(type: Node, p: string): string | null {
    const call = (name: Parameters<Module["use"]>[0]) => `${this.module.use(name)}(${this.code.bytes()}, ${p})`;
    if (isWide(type.kind) && this.module.target.int64 === "number") return null;
    switch (type.kind) {
      case "u8":
        return `${this.code.bytes()}[${p}]${this.#bang}`;
      case "i8":
        return `(${this.code.bytes()}[${p}]${this.#bang} << 24) >> 24`;
      case "u16":
      case "i16":
      case "u32":
      case "i32":
      case "f32":
      case "f64":
      case "u64":
      case "i64":
        return call(`${type.kind}At`);
      default:
        return null;
    }
  }

  /** Reads a varint at `p`. Returns the expression of its value; null for other types. */
  #readLocal(context: ReadContext, type: Node, name: string, isDeclared: boolean): string | null {
    const code = this.code;
    switch (type.kind) {
      case "uvar":
        readLocalUvar(context, name, isDeclared);
        return name;
      case "ivar":
        readLocalUvar(context, name, isDeclared);
        return `${this.module.use("unzigzag32")}(${name})`;
      default:
        code.toReader();
        return null;
    }
  }

  protected addItem(item: BlockItem): void {
    if (this.#block.length === BLOCK_ITEMS) this.endBlock();
    this.#block.push(item);
  }

  /** Writes the block: one check of bounds, then its items. */
  protected endBlock(): void {
    const block = this.#block;
    if (block.length === 0) return;
    this.#block = [];
    const code = this.code;
    code.toLocal();
    const wholeBytes = ({ size }: BlockItem) => (size < 0 ? Math.ceil(-size / 8) : size);
    const bytes = block.reduce((sum, item) => sum + wholeBytes(item), 0);
    const sizes = block.map((item) => item.size).join(", ");
    code.line(`if (p + ${bytes} > ${code.endOfBytes()}) throw ${this.module.use("truncatedBlock")}(r, p, [${sizes}]);`);
    let offset = 0;
    for (const item of block) {
      item.read(offset);
      offset += wholeBytes(item);
    }
    code.line(bytes === 1 ? "p++;" : `p += ${bytes};`);
    code.markLocal();
  }

  protected readOptional(scope: Scope, member: Member, bit: string): void {
    const { type, omit } = member;
    const code = this.code;
    const context = this.contextOf(scope, member);
    const name = this.#nameFor(scope, member);
    scope.values.set(member, name);
    const absent = this.#absent(member);
    const kept = absent === "null" || /^("|\d|EMPTY_)/.test(absent) || absent === "new Map()";
    const typeText = this.module.typed(`: ${memberType(this.module, member, "out")}`);
    code.line(`let ${name}${typeText}${kept ? ` = ${absent}` : ""};`);
    // The map that stands for an absent one is new and empty, so it is filled.
    const isFilled = absent === "new Map()";
    const otherwise = kept ? "}" : `} else ${name} = ${absent};`;
    const read = () => {
      const needsStart = omit.has("empty") || omit.has("zero");
      const isLocal = code.isLocal && (type.kind === "uvar" || type.kind === "ivar");
      const start = needsStart ? this.names.unique("start") : "";
      if (isLocal) {
        if (needsStart) code.line(`const ${start} = p;`);
        const value = this.#readLocal(context, type, name, true)!;
        if (value !== name) code.line(`${name} = ${value};`);
        if (needsStart)
          code.line(`if (${this.#isAbsent(member, name, null)}) throw ${this.module.use("notCanonical")}(${start});`);
        return;
      }
      code.toReader();
      if (needsStart) code.line(`const ${start} = r.pos;`);
      const counting = this.module.countText(this.module.weights.present(type));
      if (counting !== "") code.line(counting);
      const expression = readExpression(context, type, scope.level);
      let count: string | null = null;
      if (expression !== null) code.reader(`${name} = ${expression};`);
      else count = readInto(context, type, scope.level, { name, isDeclared: true, isFilled });
      if (needsStart)
        code.line(`if (${this.#isAbsent(member, name, count)}) throw ${this.module.use("notCanonical")}(${start});`);
    };
    code.branch(`if (${bit}) {`, read, otherwise);
  }

  /** Returns the expression of an absent field's value. */
  #absent({ omit, type }: Member): string {
    if (omit.has("null")) return "null";
    if (omit.has("zero")) return isWide(type.kind) && this.module.target.int64 === "bigint" ? "0n" : "0";
    switch (type.kind) {
      case "bytes":
        return this.module.empty("new Uint8Array(0)");
      case "array": {
        const Typed = typedArrayOf(type.element, this.module.target);
        return this.module.empty(Typed === undefined ? "[]" : `new ${Typed.name}(0)`);
      }
      case "map":
        return this.module.empty(isObjectMap(type, this.module.target) ? "{}" : "new Map()");
      default:
        return '""';
    }
  }

  /** Returns the test whether a value that is present means absent. */
  #isAbsent({ omit, type }: Member, name: string, count: string | null): string {
    if (omit.has("empty"))
      return count !== null ? `${count} === 0` : type.kind === "bytes" ? `${name}.length === 0` : `${name} === ""`;
    if (type.kind === "f32" || type.kind === "f64") return `Object.is(${name}, 0)`;
    return isWide(type.kind) && this.module.target.int64 === "bigint" ? `${name} === 0n` : `${name} === 0`;
  }
}

function literal(entries: readonly string[]): string {
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function at(offset: number): string {
  return offset === 0 ? "p" : `p + ${offset}`;
}

/** Returns the function that reads a struct. `depth`: the default of its parameter. */
export function structReader(module: Module, name: string, struct: Struct, depth?: number): string {
  const body = new StructReader(module, struct, readerNames(module)).body(struct, null);
  const { traits } = module;
  const reader = { name, type: structType(module, struct, "out"), isDeep: traits.isDeep(struct) };
  return readerFunction(module, { ...reader, hasNoBytes: traits.hasNoBytes(struct) }, body, depth);
}

/** Returns the function that reads a struct as an arm of a union. */
export function armReader(module: Module, name: string, union: UnionNode, arm: number): string {
  const { name: armName, struct } = union.arms[arm]!;
  const isDeep = module.traits.isDeep(struct);
  const discriminator = entryOf(union.discriminator, quoted(armName));
  const type = `{ ${discriminator} } & ${structType(module, struct, "out")}`;
  if (module.classOf(struct) !== null) {
    const value = `${module.structFunction("read", struct)}(r${isDeep ? ", depth" : ""})`;
    const text = `return Object.assign(${value}, { ${discriminator}${module.typed(" as const")} });`;
    return readerFunction(module, { name, type, isDeep }, text);
  }
  const body = new StructReader(module, struct, readerNames(module)).body(struct, discriminator);
  return readerFunction(module, { name, type, isDeep, hasNoBytes: module.traits.hasNoBytes(struct) }, body);
}

/** Returns the function that reads a union. */
export function unionReader(module: Module, name: string, union: UnionNode, type: string): string {
  const isDeep = union.arms.some((arm) => module.traits.isDeep(arm.struct));
  const code = new Code();
  if (isDeep) code.line(`${module.use("checkDepth")}(r, depth);`);
  code.open(`switch (${module.use("readIndex")}(r, ${union.arms.length})) {`);
  for (const [i, arm] of union.arms.entries()) {
    const depth = module.traits.isDeep(arm.struct) ? ", depth" : "";
    // `readIndex` has checked the index, so the last arm needs no test.
    code.open(i < union.arms.length - 1 ? `case ${i}:` : "default:");
    const counting = module.countText(module.weights.struct(arm.struct));
    if (counting !== "") code.line(counting);
    code.line(`return ${module.armFunction(union, i)}(r${depth});`);
    code.endCase();
  }
  code.close();
  return readerFunction(module, { name, type, isDeep }, code.toString());
}

/** Returns the names of the variables of a function that reads. */
export function readerNames(module: Module): Names {
  const names = module.names.inner();
  for (const local of ["r", "depth", "b", "end", "p"]) names.reserve(local);
  return names;
}

/** The head of a function that reads. */
interface Reader {
  readonly name: string;
  readonly type: string;
  readonly isDeep: boolean;
  /** Whether it reads nothing: TypeScript can be set to reject unused parameters. */
  readonly hasNoBytes?: boolean;
}

function readerFunction(
  module: Module,
  { name, type, isDeep, hasNoBytes = false }: Reader,
  body: string,
  fallback?: number,
): string {
  const code = new Code();
  const given = fallback === undefined ? module.typed(": number") : ` = ${fallback}`;
  const depth = isDeep ? `, depth${given}` : "";
  const reader = hasNoBytes ? "_r" : "r";
  code.open(`function ${name}(${reader}${module.typed(": PackReader")}${depth})${module.typed(`: ${type}`)} {`);
  for (const line of body.trimEnd().split("\n")) code.line(line);
  code.close();
  return code.toString();
}
