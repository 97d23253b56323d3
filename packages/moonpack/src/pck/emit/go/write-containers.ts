/** Lists, maps and what may be nil, as Go writes them. */
import type { Node } from "../../model/model.js";
import { indexStep, keyStep, type Path } from "./path.js";
import { storeCode } from "./store.js";
import { operand, times } from "./text.js";
import { isVarint, pointed, widthOf } from "./types.js";
import type { WriteBody } from "./write-body.js";
import { writeValue } from "./write-values.js";

/** Appends the list `x`, which lies at `path` in the struct, in so many containers. */
export function writeArray(
  body: WriteBody,
  node: Node & { readonly kind: "array" },
  x: string,
  path: Path,
  level: number,
): void {
  const { shared } = body;
  const { element, length } = node;
  body.checkDepth(level + 1, path);
  if (length === 0) body.try(`${body.run("AppendCount")}(b, len(${x}))`, path);
  const list = length === 0 ? x : `${operand(x)}[:]`;
  if (element.kind === "u8" && shared.ownType(element) === undefined) body.add(`b = append(b, ${list}...)`);
  else if (element.kind === "bool") body.add(`b = ${body.run("AppendBools")}(b, ${list})`);
  else if (element.kind === "uvar") body.add(`b = ${body.run("AppendUvars")}(b, ${list})`);
  else if (element.kind === "nullable") writeNullables(body, element.value, x, list, path, level);
  else if (widthOf(element) > 0) writeNumbers(body, element, x, list);
  else if (isVarint(element)) {
    const item = body.fresh("item");
    body.block(`for _, ${item} := range ${list}`, () => writeValue(body, element, item, path, level + 1));
  } else {
    const k = body.fresh("k");
    body.block(`for ${k} := range ${list}`, () =>
      writeValue(body, element, `${operand(x)}[${k}]`, [...path, indexStep(shared, k)], level + 1),
    );
  }
}

/** Numbers of fixed width: room for all, which is then filled. */
function writeNumbers(body: WriteBody, element: Node, x: string, list: string): void {
  const { shared } = body;
  const [at, k, item] = [body.fresh("at"), body.fresh("k"), body.fresh("item")];
  const width = widthOf(element);
  body.add(`${at} := len(b)`, `b = ${body.run("Extend")}(b, ${times(width, `len(${x})`)})`);
  body.block(`for ${k}, ${item} := range ${list}`, () =>
    body.add(storeCode(shared, element, "b", `${at}+${times(width, k)}`, shared.plain(element, item))),
  );
}

/** Presence bits, then what is there. */
function writeNullables(body: WriteBody, value: Node, x: string, list: string, path: Path, level: number): void {
  const [at, k, item] = [body.fresh("at"), body.fresh("k"), body.fresh("item")];
  body.add(`${at} := len(b)`, `b = ${body.run("AppendZeros")}(b, len(${x}))`);
  body.block(`for ${k}, ${item} := range ${list}`, () => {
    body.block(`if ${item} == nil`, () => body.add("continue"));
    body.add(`b[${at}+${k}>>3] |= 1 << (${k} & 7)`);
    writeValue(body, value, pointed(value, item), [...path, indexStep(body.shared, k)], level + 1);
  });
}

/** Appends the map `x`, its keys in order. */
export function writeMap(
  body: WriteBody,
  node: Node & { readonly kind: "map" },
  x: string,
  path: Path,
  level: number,
): void {
  body.checkDepth(level + 1, path);
  body.try(`${body.run("AppendCount")}(b, len(${x}))`, path);
  const [key, value] = [body.fresh("key"), body.fresh("value")];
  body.block(`for _, ${key} := range ${body.run("SortedKeys")}(${x})`, () => {
    const inner = [...path, keyStep(body.shared, node.key, key)];
    writeValue(body, node.key, key, inner, level + 1);
    if (!isUnused(body, node.value)) body.add(`${value} := ${operand(x)}[${key}]`);
    writeValue(body, node.value, value, inner, level + 1);
  });
}

/** Of an empty struct nothing is written: only its depth is looked at. What is not used does not compile. */
function isUnused({ shared }: WriteBody, node: Node): boolean {
  if (node.kind !== "ref" || node.struct.members.length > 0) return false;
  return shared.isSmall(node.struct) && !shared.isRefPointer(node);
}
