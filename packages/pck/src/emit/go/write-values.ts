/**
 * Statements that write values of every type. Lists and maps are here too, because values contain them and they
 * contain values.
 */
import type { Node, Struct } from "../../model/model.js";
import { bitsCode, byteCode, storeCode } from "./fixed-width.js";
import { indexStep, keyStep, type Path } from "./path.js";
import { depthAt, operand, times } from "./text.js";
import { isVarint, pointed, varintName, widthOf } from "./types.js";
import type { WriteBody } from "./write-body.js";

/** Appends the value `source`. `path`: its path within the struct; `level`: the number of containers around it. */
export function writeValue(body: WriteBody, node: Node, source: string, path: Path, level: number): void {
  const { context } = body;
  const x = context.plain(node, source);
  const width = widthOf(node);
  if (width === 1) return body.add(`b = append(b, ${byteCode(node, x)})`);
  if (width > 0) {
    const append = context.use("encoding/binary", `LittleEndian.AppendUint${8 * width}`);
    return body.add(`b = ${append}(b, ${bitsCode(context, node, x)})`);
  }
  switch (node.kind) {
    case "bool": // a map's value, or nullable
      return body.add(`b = ${body.runtime("AppendFlag")}(b, ${x})`);
    case "ivar":
      return body.add(`b = ${body.runtime("AppendUvar")}(b, ${body.runtime("Zigzag")}(${x}))`);
    case "uvar":
    case "uvar64":
    case "ivar64":
      return body.add(`b = ${body.runtime(`Append${varintName(node)}`)}(b, ${x})`);
    case "enumeration":
      body.block(`if ${x} >= ${node.values.length}`, () => body.fail("ERR_OUT_OF_RANGE", path));
      return body.add(`b = ${body.runtime("AppendUvar")}(b, uint32(${x}))`);
    case "bytes":
      if (node.length > 0) return body.add(`b = append(b, ${operand(x)}[:]...)`);
      return body.try(`${body.runtime("AppendBytes")}(b, ${x})`, path);
    case "utf8":
      return body.try(`${body.runtime("AppendText")}(b, ${x})`, path);
    case "ascii":
      if (node.length > 0) return body.try(`${body.runtime("AppendFixedASCII")}(b, ${x}, ${node.length})`, path);
      return body.try(`${body.runtime("AppendASCII")}(b, ${x})`, path);
    case "ref":
      if (context.isRefPointer(node)) body.block(`if ${x} == nil`, () => body.fail("ERR_UNSUPPORTED_TYPE", path));
      return writeStruct(body, node.struct, x, path, level);
    case "union": {
      const depth = context.needs.typeIsDeep(node) ? `, ${depthAt(level + 1)}` : "";
      return body.try(`encode${context.names.named(node).name}(b, ${x}${depth})`, path);
    }
    case "array":
      return writeArray(body, node, x, path, level);
    case "map":
      return writeMap(body, node, x, path, level);
    case "nullable": // a map's value: lists of nullable values have presence bits
      body.add(`b = ${body.runtime("AppendFlag")}(b, ${x} != nil)`);
      body.block(`if ${x} != nil`, () => writeValue(body, node.value, pointed(node.value, x), path, level));
  }
}

/** Appends a struct: inline if it is small, else by its method. */
function writeStruct(body: WriteBody, struct: Struct, x: string, path: Path, level: number): void {
  const { context } = body;
  const { needs, names } = context;
  if (context.isSmall(struct)) {
    if (needs.isDeep(struct)) body.checkDepth(level + 1, path);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      writeValue(body, member.type, `${x}.${names.field(member)}`, path, level);
    }
    return;
  }
  const call = `${x}.encode(b${needs.isDeep(struct) ? `, ${depthAt(level + 1)}` : ""})`;
  if (needs.canFail(struct)) body.try(call, path);
  else body.add(`b = ${call}`);
}

/** Appends the list `x`. `path`: its path within the struct; `level`: the number of containers around it. */
function writeArray(
  body: WriteBody,
  node: Node & { readonly kind: "array" },
  x: string,
  path: Path,
  level: number,
): void {
  const { context } = body;
  const { element, length } = node;
  body.checkDepth(level + 1, path);
  if (length === 0) body.try(`${body.runtime("AppendCount")}(b, len(${x}))`, path);
  const list = length === 0 ? x : `${operand(x)}[:]`;
  if (element.kind === "u8" && context.ownType(element) === undefined) body.add(`b = append(b, ${list}...)`);
  else if (element.kind === "bool") body.add(`b = ${body.runtime("AppendBools")}(b, ${list})`);
  else if (element.kind === "uvar") body.add(`b = ${body.runtime("AppendUvars")}(b, ${list})`);
  else if (element.kind === "nullable") writeNullables(body, element.value, x, list, path, level);
  else if (widthOf(element) > 0) writeNumbers(body, element, x, list);
  else if (isVarint(element)) {
    const item = body.newName("item");
    body.block(`for _, ${item} := range ${list}`, () => writeValue(body, element, item, path, level + 1));
  } else {
    const k = body.newName("k");
    body.block(`for ${k} := range ${list}`, () =>
      writeValue(body, element, `${operand(x)}[${k}]`, [...path, indexStep(context, k)], level + 1),
    );
  }
}

/** Extends the slice once for all numbers, then fills it. */
function writeNumbers(body: WriteBody, element: Node, x: string, list: string): void {
  const { context } = body;
  const [at, k, item] = [body.newName("at"), body.newName("k"), body.newName("item")];
  const width = widthOf(element);
  body.add(`${at} := len(b)`, `b = ${body.runtime("Extend")}(b, ${times(width, `len(${x})`)})`);
  body.block(`for ${k}, ${item} := range ${list}`, () =>
    body.add(storeCode(context, element, "b", `${at}+${times(width, k)}`, context.plain(element, item))),
  );
}

/** Appends presence bits, then the elements that are present. */
function writeNullables(body: WriteBody, value: Node, x: string, list: string, path: Path, level: number): void {
  const [at, k, item] = [body.newName("at"), body.newName("k"), body.newName("item")];
  body.add(`${at} := len(b)`, `b = ${body.runtime("AppendZeros")}(b, len(${x}))`);
  body.block(`for ${k}, ${item} := range ${list}`, () => {
    body.block(`if ${item} == nil`, () => body.add("continue"));
    body.add(`b[${at}+${k}>>3] |= 1 << (${k} & 7)`);
    writeValue(body, value, pointed(value, item), [...path, indexStep(body.context, k)], level + 1);
  });
}

/** Appends the map `x`, in the order of its keys. */
function writeMap(body: WriteBody, node: Node & { readonly kind: "map" }, x: string, path: Path, level: number): void {
  body.checkDepth(level + 1, path);
  body.try(`${body.runtime("AppendCount")}(b, len(${x}))`, path);
  const [key, value] = [body.newName("key"), body.newName("value")];
  body.block(`for _, ${key} := range ${body.runtime("SortedKeys")}(${x})`, () => {
    const inner = [...path, keyStep(body.context, node.key, key)];
    writeValue(body, node.key, key, inner, level + 1);
    if (!isUnused(body, node.value)) body.add(`${value} := ${operand(x)}[${key}]`);
    writeValue(body, node.value, value, inner, level + 1);
  });
}

/** True for an empty struct: it is not written, only its depth is checked. Go rejects unused variables. */
function isUnused({ context }: WriteBody, node: Node): boolean {
  if (node.kind !== "ref" || node.struct.members.length > 0) return false;
  return context.isSmall(node.struct) && !context.isRefPointer(node);
}
