/** Source text that reads values of each type, by functions over the reader. */

import { isObjectMap, typedArrayOf } from "../codec/presence.js";
import { minBytesOf, type Node } from "../model/model.js";
import { LIST_READERS, type Module, READERS, type RuntimeName } from "./module.js";
import type { Names } from "./names.js";
import type { ReaderCode } from "./reader-code.js";
import { inType } from "./types.js";

/** Where text for a value comes from. */
export interface Source {
  readonly module: Module;
  readonly code: ReaderCode;
  readonly names: Names;
  /** Has the function a `depth`, which is that of its struct? */
  readonly isDeep: boolean;
  /** What names are made from: the struct's and the field's. */
  readonly owner: string;
}

/** How a value gets to where it is used. */
export interface Target {
  /** `const list = `, `list = ` where the variable is there; the name alone is `name`. */
  readonly name: string;
  readonly isDeclared: boolean;
  /** Does it hold an empty map already, that is to be filled? */
  readonly isFilled?: boolean;
}

const WIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(["u64", "i64", "uvar64", "ivar64"]);

/** The function that reads numbers of this type. */
export function numberReader(module: Module, node: Node, isKey = false): RuntimeName {
  const plain = READERS.get(node.kind)!;
  if (isKey || !isWideNumber(module, node)) return module.use(plain);
  return module.use(plain.replace("read", "readSafe") as RuntimeName);
}

/** Is it a 64-bit integer that is read as a number? */
function isWideNumber({ target }: Module, { kind }: Node): boolean {
  return target.int64 === "number" && WIDE.has(kind);
}

function depthArgument(source: Source, levels: number): string {
  return source.isDeep ? `, depth + ${levels}` : "";
}

function checkDepth({ module, code, isDeep }: Source, levels: number): void {
  if (isDeep) code.reader(`${module.use("checkDepth")}(r, depth + ${levels});`);
}

/** The expression that reads a value at the reader's place; null for types that take statements. */
export function readExpression(source: Source, node: Node, level: number, isKey = false): string | null {
  const { module, owner } = source;
  switch (node.kind) {
    case "bytes":
    case "ascii": {
      const binary = module.target.binary === "view" ? "readBinaryView" : "readBinary";
      const read = module.use(node.kind === "bytes" ? binary : "readAsciiText");
      return `${read}(r${node.length === 0 ? "" : `, ${node.length}`})`;
    }
    case "enumeration": {
      const list = module.listOf(node.values, owner);
      return `${list}[${module.use("readIndex")}(r, ${node.values.length})]${module.typed("!")}`;
    }
    case "ref": {
      const depth = module.facts.isDeep(node.struct) ? depthArgument(source, level + 1) : "";
      return `${module.structFunction("read", node.struct)}(r${depth})`;
    }
    case "union": {
      const isDeep = node.arms.some((arm) => module.facts.isDeep(arm.struct));
      return `${module.unionFunction("read", node, owner)}(r${isDeep ? depthArgument(source, level + 1) : ""})`;
    }
    case "array":
    case "map":
      return null;
    case "nullable": {
      const value = readExpression(source, node.value, level);
      return value === null ? null : `${module.use("readFlag")}(r) ? ${value} : null`;
    }
    default:
      return `${numberReader(module, node, isKey)}(r)`;
  }
}

/** Reads a value; answers the expression that it is then. */
export function readValue(source: Source, node: Node, level: number, stem: string): string {
  const expression = readExpression(source, node, level);
  if (expression !== null) {
    source.code.toReader();
    source.code.markReader();
    return expression;
  }
  const name = source.names.of(stem);
  readInto(source, node, level, { name, isDeclared: false });
  return name;
}

/** Reads a value into a variable. Answers the name of its count, where it has one. */
export function readInto(source: Source, node: Node, level: number, target: Target): string | null {
  const { code, module } = source;
  const expression = readExpression(source, node, level);
  if (expression !== null) {
    code.reader(`${target.isDeclared ? "" : "const "}${target.name} = ${expression};`);
    return null;
  }
  switch (node.kind) {
    case "array":
      return readArray(source, node, level, target);
    case "map":
      return readMap(source, node, level, target);
    default: {
      // A list or map that may be null: the rest have expressions.
      const { value } = node as Node & { readonly kind: "nullable" };
      if (!target.isDeclared)
        code.line(`let ${target.name}${module.typed(`: ${inType(module, node, "out")}`)} = null;`);
      else code.line(`${target.name} = null;`);
      code.beginReader();
      code.open(`if (${module.use("readFlag")}(r)) {`);
      readInto(source, value, level, { name: target.name, isDeclared: true });
      code.toReader();
      code.close();
      code.markReader();
      return null;
    }
  }
}

function readArray(source: Source, node: Node & { readonly kind: "array" }, level: number, target: Target): string {
  const { module, code, names } = source;
  const { element, length } = node;
  checkDepth(source, level + 1);
  const isBits = element.kind === "bool" || element.kind === "nullable";
  const min = minBytesOf(element);
  let count = String(length);
  if (length === 0) {
    count = names.of("count");
    const read = isBits ? `${module.use("readBitCount")}(r)` : `${module.use("readCount")}(r, ${min})`;
    code.reader(`const ${count} = ${read};`);
  }
  if (element.kind === "bool") {
    code.reader(`${target.isDeclared ? "" : "const "}${target.name} = ${module.use("readBools")}(r, ${count});`);
    return count;
  }
  const Typed = typedArrayOf(element, module.target);
  const read = isWideNumber(module, element) ? undefined : LIST_READERS.get(element.kind);
  if (Typed !== undefined || read !== undefined) {
    const list =
      Typed === undefined
        ? `${module.use(read!)}(r, ${count})`
        : `${module.use("readTypedArray")}(r, ${count}, ${Typed.name})`;
    code.reader(`${target.isDeclared ? "" : "const "}${target.name} = ${list};`);
    return count;
  }
  // Short lists get just their room; longer ones a literal of their own, as V8 remembers for each what it came to hold.
  const few = length < 5 ? `${module.use("roomFor")}(${count})` : "[]";
  const list = target.isDeclared
    ? target.name
    : `const ${target.name}${module.typed(`: ${inType(module, node, "out")}`)}`;
  code.line(`${list} = ${length === 0 ? `${count} < 5 ? ${few} : []` : few};`);
  const owes = length === 0 && !isBits && module.facts.hasCounts(element);
  if (owes) code.line(`r.owed += ${count}${min === 1 ? "" : ` * ${min}`};`);
  const i = names.of("i");
  const bits = element.kind === "nullable" ? names.of("bits") : "";
  if (bits !== "") code.reader(`const ${bits} = ${module.use("readBits")}(r, ${count});`);
  code.beginReader();
  code.open(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`);
  if (owes) code.line(`r.owed -= ${min};`);
  if (element.kind === "nullable") {
    code.open(`if (${module.use("bitAt")}(r, ${bits}, ${i})) {`);
    const item = readValue(source, element.value, level + 1, "item");
    code.line(`${target.name}[${i}] = ${item};`);
    code.toReader();
    code.turn("} else {");
    code.line(`${target.name}[${i}] = null;`);
    code.close();
    code.markReader();
  } else {
    const item = readValue(source, element, level + 1, "item");
    code.line(`${target.name}[${i}] = ${item};`);
    code.toReader();
  }
  code.close();
  code.markReader();
  return count;
}

/** Reads a varint, not unzigzagged, at `p`: one byte in line, more by a function. */
export function readLocalUvar({ module, code }: Source, name: string, isDeclared: boolean): void {
  const b = code.bytes();
  code.toLocal();
  code.line(`${isDeclared ? "" : "let "}${name} = ${b}[p]${module.typed("!")};`);
  code.line(`if (p < ${code.endOfBytes()} && ${name} < 0x80) p++;`);
  code.open("else {");
  code.line(`${name} = ${module.use("readLongUvar")}(r, p);`, "p = r.pos;");
  code.close();
  code.markLocal();
}

function readMap(source: Source, node: Node & { readonly kind: "map" }, level: number, target: Target): string {
  const { module, code, names } = source;
  const min = minBytesOf(node.key) + minBytesOf(node.value);
  checkDepth(source, level + 1);
  const [count, i, last, start, key] = ["count", "i", "last", "start", "key"].map((name) => names.of(name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const isObject = isObjectMap(node, module.target);
  const map = isObject || (target.isDeclared && target.isFilled !== true) ? names.of("map") : target.name;
  code.reader(`const ${count} = ${module.use("readCount")}(r, ${min});`);
  const keyType = inType(module, node.key, "key");
  const types = module.typed(`<${keyType}, ${inType(module, node.value, "out")}>`);
  if (map !== target.name || !target.isDeclared) code.line(`const ${map} = new Map${types}();`);
  const owes = module.facts.hasCounts(node.value);
  if (owes) code.line(`r.owed += ${count} * ${min};`);
  const { kind } = node.key;
  const isText = kind === "utf8" || kind === "ascii";
  code.line(`let ${last} = ${isText ? '""' : WIDE.has(kind) ? "0n" : "0"};`);
  code.beginReader();
  code.open(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`);
  if (owes) code.line(`r.owed -= ${min};`);
  code.line(`const ${start} = r.pos;`);
  const owner = `${source.owner}Key`;
  let name = key;
  if (node.key.kind === "enumeration") {
    code.reader(`const ${key} = ${module.use("readIndex")}(r, ${node.key.values.length});`);
    name = `${module.listOf(node.key.values, owner)}[${key}]${module.typed("!")}`;
  } else code.reader(`const ${key} = ${readExpression({ ...source, owner }, node.key, level + 1, true)};`);
  const isBelow = isText ? `${module.use("compareText")}(${last}, ${key}) >= 0` : `${key} <= ${last}`;
  code.line(`if (${i} > 0 && ${isBelow}) throw ${module.use("notAscending")}(${start});`, `${last} = ${key};`);
  const value = readValue(source, node.value, level + 1, "item");
  code.line(`${map}.set(${name}, ${value});`);
  code.toReader();
  code.close();
  code.markReader();
  if (map !== target.name) {
    code.line(`${target.isDeclared ? "" : "const "}${target.name} = ${isObject ? `Object.fromEntries(${map})` : map};`);
  }
  return count;
}
