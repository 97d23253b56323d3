/** Source text that writes values of each type with functions that take the writer, where no space is reserved yet. */

import { isNumber, isObjectMap } from "../closures/representation.js";
import type { Node } from "../model/model.js";
import type { Code } from "./code.js";
import { LIST_WRITERS, type Module, WRITERS } from "./module.js";
import type { Names } from "./names.js";
import { type SmallWrite, smallWrite } from "./write-small.js";

/** The number of elements for which space is reserved in one step: the length of an array may exceed its elements. */
const CHUNK = 1024;

/** The context in which a value's text is written. */
export interface WriteContext {
  readonly module: Module;
  readonly code: Code;
  readonly names: Names;
  /** Whether the function has a parameter `depth`, the depth of its struct. */
  readonly isDeep: boolean;
  /** The struct's and field's name, for names that belong to it. */
  readonly owner: string;
}

/** Returns the argument for the depth of a value `levels` below the struct; "" if the function takes none. */
export function depthArgument(context: WriteContext, levels: number): string {
  return context.isDeep ? `, depth + ${levels}` : "";
}

/** Writes `value`, an expression that is evaluated once. `level`: the number of this field's containers around it. */
export function writeValue(context: WriteContext, node: Node, value: string, level: number): void {
  const { module, code, owner } = context;
  switch (node.kind) {
    case "bytes":
    case "ascii": {
      const write = module.use(node.kind === "bytes" ? "writeBinary" : "writeAsciiText");
      return code.line(`${write}(w, ${value}${node.length === 0 ? "" : `, ${node.length}`});`);
    }
    case "enumeration":
      return code.line(`${module.use("writeIndex")}(w, ${value}, ${module.placesOf(node.values, owner)});`);
    case "ref": {
      const depth = module.traits.isDeep(node.struct) ? depthArgument(context, level + 1) : "";
      return code.line(`${module.writeCall(node.struct, value, depth)};`);
    }
    case "union": {
      const write = module.unionFunction("write", node, owner);
      const isDeep = node.arms.some((arm) => module.traits.isDeep(arm.struct));
      return code.line(`${write}(w, ${value}${isDeep ? depthArgument(context, level + 1) : ""});`);
    }
    case "array":
      return writeArray(context, node, value, level);
    case "map":
      return writeMap(context, node, value, level);
    case "nullable": {
      const item = context.names.unique("item");
      code.line(`const ${item} = ${value};`);
      code.open(`if (${item} === null || ${item} === undefined) {`);
      code.line(`${module.use("writeFlag")}(w, false);`);
      code.reopen("} else {");
      code.line(`${module.use("writeFlag")}(w, true);`);
      writeValue(context, node.value, item, level);
      return code.close();
    }
    default:
      return code.line(`${module.use(WRITERS.get(node.kind)!)}(w, ${value});`);
  }
}

/** Adds the check of the depth of a container `levels` below the struct. */
function addNestingCheck({ module, code, isDeep }: WriteContext, levels: number): void {
  if (isDeep) code.line(`${module.use("checkNesting")}(w, depth + ${levels});`);
}

function writeArray(
  context: WriteContext,
  node: Node & { readonly kind: "array" },
  value: string,
  level: number,
): void {
  const { module, code, names } = context;
  const { element, length } = node;
  const list = names.unique("list");
  code.line(`const ${list} = ${module.use(isNumber(element) ? "numbersOf" : "listOf")}(${value});`);
  addNestingCheck(context, level + 1);
  if (length > 0) code.line(`${module.use("expectLength")}(${list}.length, ${length});`);
  if (element.kind === "bool") {
    if (length === 0) code.line(`${module.use("writeUvar")}(w, ${list}.length);`);
    return code.line(`${module.use("writeBools")}(w, ${list});`);
  }
  let count = String(length);
  if (length === 0) {
    count = names.unique("count");
    code.line(`const ${count} = ${list}.length;`, `${module.use("writeUvar")}(w, ${count});`);
  }
  const write = LIST_WRITERS.get(element.kind);
  if (write !== undefined) return code.line(`${module.use(write)}(w, ${list}, ${count});`);
  const i = names.unique("i");
  const bits = element.kind === "nullable" ? names.unique("bits") : "";
  if (bits !== "") code.line(`const ${bits} = ${module.use("openBits")}(w, ${count});`);
  code.line(`let ${i} = 0;`);
  code.open("try {");
  const bounded =
    element.kind === "ref"
      ? null
      : smallWrite(module, element, `${list}[${i}]${module.typed("!")}`, context.owner, null);
  if (bounded !== null) writeChunks(context, bounded, i, count);
  else {
    code.open(`for (; ${i} < ${count}; ${i}++) {`);
    if (element.kind === "nullable") {
      const item = names.unique("item");
      code.line(`const ${item} = ${list}[${i}];`);
      code.line(`if (${item} === null || ${item} === undefined) continue;`);
      code.line(`${module.use("setBit")}(w, ${bits}, ${i});`);
      writeValue(context, element.value, item, level + 1);
    } else writeValue(context, element, `${list}[${i}]${module.typed("!")}`, level + 1);
    code.close();
  }
  code.reopen("} catch (error) {");
  code.line(`throw ${module.use("within")}(error, \`[\${${i}}]\`);`);
  code.close();
}

/** Writes elements of a few bytes each, and reserves space for many in one step. */
function writeChunks(
  { code, names }: WriteContext,
  { bytes, isView, lines }: SmallWrite,
  i: string,
  count: string,
): void {
  const stop = names.unique("stop");
  const [b, p] = [names.unique("b"), names.unique("p")];
  code.open(`while (${i} < ${count}) {`);
  code.line(`const ${stop} = Math.min(${count}, ${i} + ${CHUNK});`);
  code.line(`w.reserve((${stop} - ${i}) * ${bytes});`);
  code.line(`const ${b} = w.${isView ? "view" : "bytes"};`);
  code.line(`let ${p} = w.pos;`);
  code.open(`for (; ${i} < ${stop}; ${i}++) {`);
  code.line(...lines(b, p));
  code.close();
  code.line(`w.pos = ${p};`);
  code.close();
}

function writeMap(context: WriteContext, node: Node & { readonly kind: "map" }, value: string, level: number): void {
  const { module, code, names } = context;
  const entries = names.unique("entries");
  const given = `${module.use(isObjectMap(node, module.target) ? "recordEntries" : "mapEntries")}(${value})`;
  const { kind } = node.key;
  if (kind === "enumeration") {
    code.line(
      `const ${entries} = ${module.use("byPlace")}(${given}, ${module.placesOf(node.key.values, `${context.owner}Key`)});`,
    );
  } else {
    const sorted = module.use(kind === "utf8" || kind === "ascii" ? "byText" : "byNumber");
    code.line(`const ${entries} = ${sorted}(${given});`);
  }
  addNestingCheck(context, level + 1);
  code.line(`${module.use("writeUvar")}(w, ${entries}.length);`);
  const [key, item] = [names.unique("key"), names.unique("item")];
  code.open(`for (const [${key}, ${item}] of ${entries}) {`);
  code.open("try {");
  writeValue({ ...context, owner: `${context.owner}Key` }, node.key, key, level + 1);
  writeValue(context, node.value, item, level + 1);
  code.reopen("} catch (error) {");
  code.line(`throw ${module.use("within")}(error, ${module.use("keyStep")}(${key}));`);
  code.close();
  code.close();
}
