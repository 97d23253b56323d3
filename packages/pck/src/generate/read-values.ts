/** Source text that reads values of each type with functions that take the reader. */

import { isNumber, isObjectMap, typedArrayOf } from "../closures/representation.js";
import { minBytesOf, type Node } from "../model/model.js";
import { LIST_READERS, type Module, READERS, type RuntimeName } from "./module.js";
import type { Names } from "./names.js";
import type { ReaderCode } from "./reader-code.js";
import { inType, isWide } from "./types.js";

/** The context in which a value's text is written. */
export interface ReadContext {
  readonly module: Module;
  readonly code: ReaderCode;
  readonly names: Names;
  /** Whether the function has a parameter `depth`, the depth of its struct. */
  readonly isDeep: boolean;
  /** The struct's and field's name, for names that belong to it. */
  readonly owner: string;
}

/** The variable that a value is read into. */
export interface Destination {
  readonly name: string;
  /** False: the variable is declared here, as `const`. */
  readonly isDeclared: boolean;
  /** Whether it holds an empty map, which is then filled. */
  readonly isFilled?: boolean;
}

/** Returns the name of the function that reads numbers of this type. */
export function numberReader(module: Module, node: Node, isKey = false): RuntimeName {
  const plain = READERS.get(node.kind)!;
  if (isKey || !isWideNumber(module, node)) return module.use(plain);
  return module.use(plain.replace("read", "readSafe") as RuntimeName);
}

/** True for a 64-bit integer that is read as a number. */
function isWideNumber({ target }: Module, { kind }: Node): boolean {
  return target.int64 === "number" && isWide(kind);
}

function depthArgument(context: ReadContext, levels: number): string {
  return context.isDeep ? `, depth + ${levels}` : "";
}

function checkDepth({ module, code, isDeep }: ReadContext, levels: number): void {
  if (isDeep) code.reader(`${module.use("checkDepth")}(r, depth + ${levels});`);
}

/** Returns the expression that reads a value at the reader's position; null for types that need statements. */
export function readExpression(context: ReadContext, node: Node, level: number, isKey = false): string | null {
  const { module, owner } = context;
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
      const depth = module.traits.isDeep(node.struct) ? depthArgument(context, level + 1) : "";
      return `${module.structFunction("read", node.struct)}(r${depth})`;
    }
    case "union": {
      const isDeep = node.arms.some((arm) => module.traits.isDeep(arm.struct));
      return `${module.unionFunction("read", node, owner)}(r${isDeep ? depthArgument(context, level + 1) : ""})`;
    }
    case "array":
    case "map":
      return null;
    case "nullable": {
      const value = readExpression(context, node.value, level);
      return value === null ? null : `${presence(module, node.value)} ? ${value} : null`;
    }
    default:
      return `${numberReader(module, node, isKey)}(r)`;
  }
}

/** Returns the expression that reads whether a nullable value is present. */
function presence(module: Module, value: Node): string {
  const weight = module.weights.nullable(value);
  return module.counts && weight > 0 ? `${module.use("readPresent")}(r, ${weight})` : `${module.use("readFlag")}(r)`;
}

/** Writes the statements that read a value, if it needs any. Returns the expression of the value. */
export function readValue(context: ReadContext, node: Node, level: number, stem: string): string {
  const expression = readExpression(context, node, level);
  if (expression !== null) {
    context.code.toReader();
    context.code.markReader();
    return expression;
  }
  const name = context.names.unique(stem);
  readInto(context, node, level, { name, isDeclared: false });
  return name;
}

/** Reads a value into a variable. Returns the name of its count, or null. */
export function readInto(context: ReadContext, node: Node, level: number, destination: Destination): string | null {
  const { code, module } = context;
  const expression = readExpression(context, node, level);
  if (expression !== null) {
    code.reader(`${destination.isDeclared ? "" : "const "}${destination.name} = ${expression};`);
    return null;
  }
  switch (node.kind) {
    case "array":
      return readArray(context, node, level, destination);
    case "map":
      return readMap(context, node, level, destination);
    default: {
      // A list or map that may be null: all other types have expressions.
      const { value } = node as Node & { readonly kind: "nullable" };
      if (!destination.isDeclared)
        code.line(`let ${destination.name}${module.typed(`: ${inType(module, node, "out")}`)} = null;`);
      else code.line(`${destination.name} = null;`);
      code.beginReader();
      code.open(`if (${presence(module, value)}) {`);
      readInto(context, value, level, { name: destination.name, isDeclared: true });
      code.toReader();
      code.close();
      code.markReader();
      return null;
    }
  }
}

function readArray(
  context: ReadContext,
  node: Node & { readonly kind: "array" },
  level: number,
  destination: Destination,
): string {
  const { module, code, names } = context;
  const { element, length } = node;
  checkDepth(context, level + 1);
  const isBits = element.kind === "bool" || element.kind === "nullable";
  const min = minBytesOf(element);
  const Typed = typedArrayOf(element, module.target);
  let count = String(length);
  if (length === 0) {
    count = names.unique("count");
    const read = isBits
      ? `${module.use("readBitCount")}(r)`
      : `${module.use("readCount")}(r, ${min}, ${module.weights.of(element)}${Typed === undefined ? "" : ", Infinity"})`;
    code.reader(`const ${count} = ${read};`);
  }
  if (element.kind === "bool") {
    code.reader(
      `${destination.isDeclared ? "" : "const "}${destination.name} = ${module.use("readBools")}(r, ${count});`,
    );
    return count;
  }
  const read = isWideNumber(module, element) ? undefined : LIST_READERS.get(element.kind);
  if (Typed !== undefined || read !== undefined) {
    const list =
      Typed === undefined
        ? `${module.use(read!)}(r, ${count})`
        : `${module.use("readTypedArray")}(r, ${count}, ${Typed.name})`;
    code.reader(`${destination.isDeclared ? "" : "const "}${destination.name} = ${list};`);
    return count;
  }
  // A short list is allocated at its exact size. A longer one has its own literal: V8 records for each literal
  // which kind of elements it came to hold.
  const few = length < 5 ? `${module.use("shortList")}(${count})` : "[]";
  const list = destination.isDeclared
    ? destination.name
    : `const ${destination.name}${module.typed(`: ${inType(module, node, "out")}`)}`;
  code.line(`${list} = ${length === 0 ? `${count} < 5 ? ${few} : []` : few};`);
  const reserves = length === 0 && !isBits && module.traits.hasCounts(element);
  if (reserves) code.line(`r.reserved += ${count}${min === 1 ? "" : ` * ${min}`};`);
  const i = names.unique("i");
  const bits = element.kind === "nullable" ? names.unique("bits") : "";
  if (bits !== "") code.reader(`const ${bits} = ${module.use("readBits")}(r, ${count});`);
  code.beginReader();
  code.open(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`);
  if (reserves) code.line(`r.reserved -= ${min};`);
  if (element.kind === "nullable") {
    code.open(`if (${module.use("bitAt")}(r, ${bits}, ${i})) {`);
    const count = module.countText(module.weights.nullable(element.value));
    if (count !== "") code.reader(count);
    const item = readValue(context, element.value, level + 1, "item");
    code.line(`${destination.name}[${i}] = ${item};`);
    code.toReader();
    code.reopen("} else {");
    code.line(`${destination.name}[${i}] = null;`);
    code.close();
    code.markReader();
  } else {
    const item = readValue(context, element, level + 1, "item");
    code.line(`${destination.name}[${i}] = ${item};`);
    code.toReader();
  }
  code.close();
  code.markReader();
  return count;
}

/** Reads a varint at `p`, without zigzag decoding: one byte inline, more bytes with a call. */
export function readLocalUvar({ module, code }: ReadContext, name: string, isDeclared: boolean): void {
  const b = code.bytes();
  code.toLocal();
  code.line(`${isDeclared ? "" : "let "}${name} = ${b}[p]${module.typed("!")};`);
  code.line(`if (p < ${code.endOfBytes()} && ${name} < 0x80) p++;`);
  code.open("else {");
  code.line(`${name} = ${module.use("readLongUvar")}(r, p);`, "p = r.pos;");
  code.close();
  code.markLocal();
}

function readMap(
  context: ReadContext,
  node: Node & { readonly kind: "map" },
  level: number,
  destination: Destination,
): string {
  const { module, code, names } = context;
  const min = minBytesOf(node.key) + minBytesOf(node.value);
  checkDepth(context, level + 1);
  const [count, i, last, start, key] = ["count", "i", "last", "start", "key"].map((name) => names.unique(name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const isObject = isObjectMap(node, module.target);
  const map =
    isObject || (destination.isDeclared && destination.isFilled !== true) ? names.unique("map") : destination.name;
  code.reader(`const ${count} = ${module.use("readMapCount")}(r, ${min}, ${module.weights.pair(node)});`);
  const keyType = inType(module, node.key, "key");
  const types = module.typed(`<${keyType}, ${inType(module, node.value, "out")}>`);
  if (map !== destination.name || !destination.isDeclared) code.line(`const ${map} = new Map${types}();`);
  const reserves = module.traits.hasCounts(node.value);
  if (reserves) code.line(`r.reserved += ${count} * ${min};`);
  const { kind } = node.key;
  const isText = kind === "utf8" || kind === "ascii";
  const flood = isNumber(node.key) ? names.unique("flood") : "";
  if (flood !== "") code.line(`const ${flood} = ${module.use("keyFlood")}(${count});`);
  code.line(`let ${last} = ${isText ? '""' : isWide(kind) ? "0n" : "0"};`);
  code.beginReader();
  code.open(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`);
  if (reserves) code.line(`r.reserved -= ${min};`);
  code.line(`const ${start} = r.pos;`);
  const owner = `${context.owner}Key`;
  let name = key;
  if (node.key.kind === "enumeration") {
    code.reader(`const ${key} = ${module.use("readIndex")}(r, ${node.key.values.length});`);
    name = `${module.listOf(node.key.values, owner)}[${key}]${module.typed("!")}`;
  } else code.reader(`const ${key} = ${readExpression({ ...context, owner }, node.key, level + 1, true)};`);
  const isBelow = isText ? `${module.use("compareText")}(${last}, ${key}) >= 0` : `${key} <= ${last}`;
  code.line(`if (${i} > 0 && ${isBelow}) throw ${module.use("notAscending")}(${start});`, `${last} = ${key};`);
  if (flood !== "") code.line(`if (${flood} !== null) ${flood}.add(${key}, ${start});`);
  const value = readValue(context, node.value, level + 1, "item");
  code.line(`${map}.set(${name}, ${value});`);
  code.toReader();
  code.close();
  code.markReader();
  if (map !== destination.name) {
    code.line(
      `${destination.isDeclared ? "" : "const "}${destination.name} = ${isObject ? `${module.use("recordOf")}(${map})` : map};`,
    );
  }
  return count;
}
