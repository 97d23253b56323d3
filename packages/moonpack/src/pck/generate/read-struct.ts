/**
 * Source text of the functions that read structs and unions: one look at the bounds for each run of fixed-width fields, then
 * bytes at `p`; varints of one byte in line; an object literal in the order of the declaration.
 */

import { isObjectMap, typedArrayOf } from "../codec/presence.js";
import { knownBytesOf, type Member, type Node, type Struct, type UnionNode } from "../model/model.js";
import { Code, entryOf, quoted } from "./code.js";
import { type Module, ownerName } from "./module.js";
import { camel, type Names } from "./names.js";
import { readExpression, readInto, readLocalUvar, type Source } from "./read-values.js";
import { ReaderCode } from "./reader-code.js";
import { memberType, structType } from "./types.js";

/** Items that have their bounds looked at together, at most. */
const BLOCK_ITEMS = 64;
const LINE_WIDTH = 110;

/** A fixed-width item of a block. */
interface BlockItem {
  /** In bytes; below 0, a bit store of so many bits. */
  readonly size: number;
  /** Reads it, `offset` bytes behind `p`. */
  read(offset: number): void;
}

/** A struct that is read in this function, and the expressions of its fields. */
interface Scope {
  readonly struct: Struct;
  readonly stem: string;
  readonly values: Map<Member, string>;
}

const WIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(["u64", "i64", "uvar64", "ivar64"]);

/** The body of a function that reads a struct. */
export class StructReader {
  readonly #source: Source;
  readonly #module: Module;
  readonly #code = new ReaderCode();
  readonly #names: Names;
  #block: BlockItem[] = [];

  constructor(module: Module, struct: Struct, names: Names) {
    this.#module = module;
    this.#names = names;
    const isDeep = module.facts.isDeep(struct);
    this.#source = { module, code: this.#code, names, isDeep, owner: "" };
  }

  /** Reads the struct; `first`: an entry of the object before its fields. */
  body(struct: Struct, first: string | null): string {
    const code = this.#code;
    const scope: Scope = { struct, stem: "", values: new Map() };
    this.#readStruct(scope);
    this.#endBlock();
    code.toReader();
    this.#answer(scope, first);
    const head = [...code.head()];
    if (this.#source.isDeep) head.unshift(`${this.#module.use("checkDepth")}(r, depth);`);
    code.insert(0, head);
    return code.toString();
  }

  /** Answers the object, on one line if it fits. */
  #answer(scope: Scope, first: string | null): void {
    if (this.#module.classOf(scope.struct) !== null) return this.#answerInstance(scope);
    const entries = this.#entries(scope, first);
    const line = `return ${literal(entries)};`;
    if (line.length <= LINE_WIDTH) return this.#code.line(line);
    this.#code.open("return {");
    this.#code.line(...entries.map((entry) => `${entry},`));
    this.#code.close("};");
  }

  /** The same of a class; what the arm of a union has besides is its reader's. */
  #answerInstance(scope: Scope): void {
    const line = `return ${this.#expression(scope)};`;
    if (line.length <= LINE_WIDTH) return this.#code.line(line);
    this.#code.open(`return new ${this.#module.nameOf(scope.struct)}(`);
    this.#code.line(...this.#arguments(scope).map((value) => `${value},`));
    this.#code.close(");");
  }

  #arguments({ struct, values }: Scope): readonly string[] {
    return struct.members.map((member) => values.get(member)!);
  }

  /** The struct's value, on one line. */
  #expression(scope: Scope): string {
    if (this.#module.classOf(scope.struct) === null) return literal(this.#entries(scope, null));
    return `new ${this.#module.nameOf(scope.struct)}(${this.#arguments(scope).join(", ")})`;
  }

  #entries({ struct, values }: Scope, first: string | null): readonly string[] {
    const prototype = this.#module.target.prototypeOf(struct);
    const entries = prototype === null ? [] : [`__proto__: ${prototype}`];
    if (first !== null) entries.push(first);
    for (const member of struct.members) entries.push(entryOf(member.name, values.get(member)!));
    return entries;
  }

  #nameFor(scope: Scope, member: Member): string {
    return this.#names.of(scope.stem === "" ? member.name : camel(scope.stem, member.name));
  }

  #readStruct(scope: Scope): void {
    const { struct } = scope;
    const bits = this.#readStore(scope);
    for (const member of [...struct.fixed, ...struct.dynamic]) this.#readRequired(scope, member);
    if (struct.optionals.length > 0) this.#endBlock();
    for (const [i, member] of struct.optionals.entries()) this.#readOptional(scope, member, bits(i));
  }

  /** The bit store; answers the tests of its bits. */
  #readStore({ struct, values }: Scope): (i: number) => string {
    const count = struct.optionals.length + struct.bools.length;
    if (count === 0) return () => "";
    const { storeBytes } = struct;
    const stores = Array.from({ length: storeBytes }, () => this.#names.of("bits"));
    this.#add({
      size: -count,
      read: (offset) => {
        const b = this.#code.bytes();
        for (const [i, name] of stores.entries())
          this.#code.line(`const ${name} = ${b}[${at(offset + i)}]${this.#bang};`);
        const spare = count & 7;
        if (spare === 0) return;
        const error = `${this.#module.use("notPadded")}(${at(offset)})`;
        this.#code.line(`if (${stores.at(-1)} > ${(1 << spare) - 1}) throw ${error};`);
      },
    });
    const bit = (i: number) => `(${stores[i >> 3]} & ${1 << (i & 7)}) !== 0`;
    for (const [i, member] of struct.bools.entries()) values.set(member, bit(struct.optionals.length + i));
    return bit;
  }

  get #bang(): string {
    return this.#module.typed("!");
  }

  #readRequired(scope: Scope, member: Member): void {
    const { type } = member;
    const inner = this.#module.facts.inlined(member);
    if (inner !== null) {
      const stem = scope.stem === "" ? member.name : camel(scope.stem, member.name);
      const nested: Scope = { struct: inner, stem, values: new Map() };
      this.#readStruct(nested);
      scope.values.set(member, this.#expression(nested));
      return;
    }
    const name = this.#nameFor(scope, member);
    scope.values.set(member, name);
    const size = knownBytesOf(type);
    const fixed = (p: string) => this.#fixed(type, p);
    if (fixed("p") !== null) {
      this.#add({ size, read: (offset) => this.#code.line(`const ${name} = ${fixed(at(offset))};`) });
      return;
    }
    this.#endBlock();
    const source = this.#sourceOf(scope, member);
    if (this.#code.isLocal || type.kind === "uvar" || type.kind === "ivar") {
      const value = this.#readLocal(source, type, name, false);
      if (value !== null) {
        scope.values.set(member, value);
        return;
      }
    }
    readInto(source, type, 0, { name, isDeclared: false });
  }

  #sourceOf({ struct }: Scope, member: Member): Source {
    return { ...this.#source, owner: ownerName(this.#module, struct, member) };
  }

  /** The expression of a fixed-width number at a place whose bounds have been looked at. */
  #fixed(type: Node, p: string): string | null {
    const call = (name: Parameters<Module["use"]>[0]) => `${this.#module.use(name)}(${this.#code.bytes()}, ${p})`;
    if (WIDE.has(type.kind) && this.#module.target.int64 === "number") return null;
    switch (type.kind) {
      case "u8":
        return `${this.#code.bytes()}[${p}]${this.#bang}`;
      case "i8":
        return `(${this.#code.bytes()}[${p}]${this.#bang} << 24) >> 24`;
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

  /** Reads a varint or an index at `p`; answers its expression, null for other types. */
  #readLocal(source: Source, type: Node, name: string, isDeclared: boolean): string | null {
    const code = this.#code;
    switch (type.kind) {
      case "uvar":
        readLocalUvar(source, name, isDeclared);
        return name;
      case "ivar":
        readLocalUvar(source, name, isDeclared);
        return `${this.#module.use("unzigzag32")}(${name})`;
      default:
        code.toReader();
        return null;
    }
  }

  #add(item: BlockItem): void {
    if (this.#block.length === BLOCK_ITEMS) this.#endBlock();
    this.#block.push(item);
  }

  /** Writes the text of the block: one look at the bounds, then its items. */
  #endBlock(): void {
    const block = this.#block;
    if (block.length === 0) return;
    this.#block = [];
    const code = this.#code;
    code.toLocal();
    const bytesOf = ({ size }: BlockItem) => (size < 0 ? Math.ceil(-size / 8) : size);
    const bytes = block.reduce((sum, item) => sum + bytesOf(item), 0);
    const sizes = block.map((item) => item.size).join(", ");
    code.line(`if (p + ${bytes} > ${code.endOfBytes()}) throw ${this.#module.use("cutShort")}(r, p, [${sizes}]);`);
    let offset = 0;
    for (const item of block) {
      item.read(offset);
      offset += bytesOf(item);
    }
    code.line(bytes === 1 ? "p++;" : `p += ${bytes};`);
    code.markLocal();
  }

  #readOptional(scope: Scope, member: Member, bit: string): void {
    const { type, omit } = member;
    const code = this.#code;
    const source = this.#sourceOf(scope, member);
    const name = this.#nameFor(scope, member);
    scope.values.set(member, name);
    const absent = this.#absent(member);
    const kept = absent === "null" || /^("|\d)/.test(absent) || absent === "new Map()";
    const typeText = this.#module.typed(`: ${memberType(this.#module, member, "out")}`);
    code.line(`let ${name}${typeText}${kept ? ` = ${absent}` : ""};`);
    // A map that is empty already is filled.
    const isFilled = absent === "new Map()";
    const otherwise = kept ? "}" : `} else ${name} = ${absent};`;
    const read = () => {
      const needsStart = omit.has("empty") || omit.has("zero");
      const isLocal = code.isLocal && (type.kind === "uvar" || type.kind === "ivar");
      const start = needsStart ? this.#names.of("start") : "";
      if (isLocal) {
        if (needsStart) code.line(`const ${start} = p;`);
        const value = this.#readLocal(source, type, name, true)!;
        if (value !== name) code.line(`${name} = ${value};`);
        if (needsStart)
          code.line(`if (${this.#isAbsent(member, name, null)}) throw ${this.#module.use("notCanonical")}(${start});`);
        return;
      }
      code.toReader();
      if (needsStart) code.line(`const ${start} = r.pos;`);
      const expression = readExpression(source, type, 0);
      let count: string | null = null;
      if (expression !== null) code.reader(`${name} = ${expression};`);
      else count = readInto(source, type, 0, { name, isDeclared: true, isFilled });
      if (needsStart)
        code.line(`if (${this.#isAbsent(member, name, count)}) throw ${this.#module.use("notCanonical")}(${start});`);
    };
    code.branch(`if (${bit}) {`, read, otherwise);
  }

  /** What an absent field is read as. */
  #absent({ omit, type }: Member): string {
    if (omit.has("null")) return "null";
    if (omit.has("zero")) return WIDE.has(type.kind) && this.#module.target.int64 === "bigint" ? "0n" : "0";
    switch (type.kind) {
      case "bytes":
        return "new Uint8Array(0)";
      case "array": {
        const Typed = typedArrayOf(type.element, this.#module.target);
        return Typed === undefined ? "[]" : `new ${Typed.name}(0)`;
      }
      case "map":
        return isObjectMap(type, this.#module.target) ? "{}" : "new Map()";
      default:
        return '""';
    }
  }

  /** The test that a value that is there means absent. */
  #isAbsent({ omit, type }: Member, name: string, count: string | null): string {
    if (omit.has("empty"))
      return count !== null ? `${count} === 0` : type.kind === "bytes" ? `${name}.length === 0` : `${name} === ""`;
    if (type.kind === "f32" || type.kind === "f64") return `Object.is(${name}, 0)`;
    return WIDE.has(type.kind) && this.#module.target.int64 === "bigint" ? `${name} === 0n` : `${name} === 0`;
  }
}

function literal(entries: readonly string[]): string {
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function at(offset: number): string {
  return offset === 0 ? "p" : `p + ${offset}`;
}

/** A function that reads a struct; `depth`: what its depth is for those who do not say. */
export function structReader(module: Module, name: string, struct: Struct, depth?: number): string {
  const body = new StructReader(module, struct, readerNames(module)).body(struct, null);
  const { facts } = module;
  const reader = { name, type: structType(module, struct, "out"), isDeep: facts.isDeep(struct) };
  return readerFunction(module, { ...reader, isVoid: facts.isVoid(struct) }, body, depth);
}

/** A function that reads a struct as an arm of a union. */
export function armReader(module: Module, name: string, union: UnionNode, arm: number): string {
  const { name: armName, struct } = union.arms[arm]!;
  const isDeep = module.facts.isDeep(struct);
  const told = entryOf(union.discriminator, quoted(armName));
  const type = `{ ${told} } & ${structType(module, struct, "out")}`;
  if (module.classOf(struct) !== null) {
    const value = `${module.structFunction("read", struct)}(r${isDeep ? ", depth" : ""})`;
    const text = `return Object.assign(${value}, { ${told}${module.typed(" as const")} });`;
    return readerFunction(module, { name, type, isDeep }, text);
  }
  const body = new StructReader(module, struct, readerNames(module)).body(struct, told);
  return readerFunction(module, { name, type, isDeep, isVoid: module.facts.isVoid(struct) }, body);
}

/** A function that reads a union. */
export function unionReader(module: Module, name: string, union: UnionNode, type: string): string {
  const isDeep = union.arms.some((arm) => module.facts.isDeep(arm.struct));
  const code = new Code();
  if (isDeep) code.line(`${module.use("checkDepth")}(r, depth);`);
  code.open(`switch (${module.use("readIndex")}(r, ${union.arms.length})) {`);
  for (const [i, arm] of union.arms.entries()) {
    const depth = module.facts.isDeep(arm.struct) ? ", depth" : "";
    // The index is one of these: the last one needs no test.
    code.open(i < union.arms.length - 1 ? `case ${i}:` : "default:");
    code.line(`return ${module.armFunction(union, i)}(r${depth});`);
    code.end();
  }
  code.close();
  return readerFunction(module, { name, type, isDeep }, code.toString());
}

function readerNames(module: Module): Names {
  const names = module.names.inner();
  for (const local of ["r", "depth", "b", "end", "p"]) names.take(local);
  return names;
}

/** A function that reads. */
interface Reader {
  readonly name: string;
  readonly type: string;
  readonly isDeep: boolean;
  /** Does it read nothing? TypeScript may be told to refuse a parameter that is not used. */
  readonly isVoid?: boolean;
}

function readerFunction(
  module: Module,
  { name, type, isDeep, isVoid = false }: Reader,
  body: string,
  fallback?: number,
): string {
  const code = new Code();
  const given = fallback === undefined ? module.typed(": number") : ` = ${fallback}`;
  const depth = isDeep ? `, depth${given}` : "";
  const reader = isVoid ? "_r" : "r";
  code.open(`function ${name}(${reader}${module.typed(": PackReader")}${depth})${module.typed(`: ${type}`)} {`);
  for (const line of body.trimEnd().split("\n")) code.line(line);
  code.close();
  return code.toString();
}
