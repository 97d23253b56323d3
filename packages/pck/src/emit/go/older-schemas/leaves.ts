/** Statements that read bytes, text and numbers of one type as another type. */
import type { Node } from "../../../model/model.js";
import { numberCode } from "../fixed-width.js";
import { isVarint, PLAIN_TYPES, varintName, widthOf } from "../types.js";
import type { OlderBody } from "./functions.js";

/** Reads a value into `x`, which has the type `to`. `isThere`: whether the bounds are checked already. */
export function readLeaf(body: OlderBody, from: Node, to: Node, x: string, isThere = false): void {
  const width = widthOf(from);
  if (width > 0) {
    if (!isThere) body.checkWidth(width);
    body.add(
      `${x} = ${converted(from, to, numberCode(body.context, from, width === 1 ? "b[i]" : "b[i:]"))}`,
      width === 1 ? "i++" : `i += ${width}`,
    );
    return;
  }
  if (from.kind === "bytes" && from.length > 0) {
    body.checkWidth(from.length);
    const { length } = from;
    const isFixed = to.kind === "bytes" && to.length > 0;
    // the spaces are gofmt's
    body.add(`${x} = ${isFixed ? `[${length}]byte(b[i : i+${length}])` : `append([]byte{}, b[i:i+${length}]...)`}`);
    body.add(`i += ${length}`);
    return;
  }
  if (castOf(from, to) === "") {
    body.try(x, callOf(body, from, body.context.settings.strings === "view"));
    return;
  }
  const number = body.newName("number");
  body.add(`var ${number} ${PLAIN_TYPES[from.kind as keyof typeof PLAIN_TYPES]}`);
  body.try(number, callOf(body, from, false));
  body.add(`${x} = ${converted(from, to, number)}`);
}

/** Skips a value. */
export function skipLeaf(body: OlderBody, node: Node): void {
  const fixed = node.kind === "bytes" ? node.length : widthOf(node);
  if (fixed > 0) body.try("", `${body.runtime("SkipBytes")}(b, i, ${fixed})`);
  else if (node.kind === "enumeration") body.try("_", `${body.runtime("NameIndex")}(b, i, ${node.values.length})`);
  else body.try("_", callOf(body, node, true));
}

/** Returns the call that reads a value of no fixed width. */
function callOf(body: OlderBody, node: Node, isView: boolean): string {
  const view = isView ? "View" : "";
  switch (node.kind) {
    case "bool":
      return `${body.runtime("Flag")}(b, i)`;
    case "bytes":
      return `${body.runtime("Bytes")}(b, i)`;
    case "ascii":
      if (node.length > 0) return `${body.runtime(`FixedASCII${view}`)}(b, i, ${node.length})`;
      return `${body.runtime(`ASCII${view}`)}(b, i)`;
    case "utf8":
      return `${body.runtime(`Text${view}`)}(b, i)`;
    default:
      return `${body.runtime(varintName(node))}(b, i)`;
  }
}

/** Converts a value to another type. */
function converted(from: Node, to: Node, x: string): string {
  const cast = castOf(from, to);
  return cast === "" ? x : `${cast}(${x})`;
}

/** Returns the Go type that a number is converted to; "" if both types are the same in Go. */
export function castOf(from: Node, to: Node): string {
  if (widthOf(from) === 0 && !isVarint(from)) return "";
  const [source, target] = [from, to].map(({ kind }) => PLAIN_TYPES[kind as keyof typeof PLAIN_TYPES]);
  return source === target ? "" : target!;
}

/** Returns the condition that the value that was read means absent. */
export function isAbsent(body: OlderBody, kind: "zero" | "empty", type: Node, x: string): string {
  if (kind === "empty") return type.kind === "utf8" || type.kind === "ascii" ? `${x} == ""` : `len(${x}) == 0`;
  if (type.kind !== "f32" && type.kind !== "f64") return `${x} == 0`;
  // Only +0 means absent, not -0.
  const bits = type.kind.slice(1);
  return `${body.context.use("math", `Float${bits}bits`)}(${body.context.plain(type, x)}) == 0`;
}
