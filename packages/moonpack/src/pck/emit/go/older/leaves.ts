/** Lines that read bytes, text and numbers of one type as another one. */
import type { Node } from "../../../model/model.js";
import { numberCode } from "../store.js";
import { isVarint, PLAIN_TYPES, varintName, widthOf } from "../types.js";
import type { OlderBody } from "./functions.js";

/** Reads a value into `x`, which is of the type `to`. `isThere`: have the bounds been looked at? */
export function readLeaf(body: OlderBody, from: Node, to: Node, x: string, isThere = false): void {
  const width = widthOf(from);
  if (width > 0) {
    if (!isThere) body.checkWidth(width);
    body.add(
      `${x} = ${converted(from, to, numberCode(body.shared, from, width === 1 ? "b[i]" : "b[i:]"))}`,
      width === 1 ? "i++" : `i += ${width}`,
    );
    return;
  }
  if (from.kind === "bytes" && from.length > 0) {
    body.checkWidth(from.length);
    const { length } = from;
    const isFixed = to.kind === "bytes" && to.length > 0;
    // gofmt's spaces.
    body.add(`${x} = ${isFixed ? `[${length}]byte(b[i : i+${length}])` : `append([]byte{}, b[i:i+${length}]...)`}`);
    body.add(`i += ${length}`);
    return;
  }
  if (castOf(from, to) === "") {
    body.try(x, callOf(body, from, body.shared.settings.strings === "view"));
    return;
  }
  const number = body.fresh("number");
  body.add(`var ${number} ${PLAIN_TYPES[from.kind as keyof typeof PLAIN_TYPES]}`);
  body.try(number, callOf(body, from, false));
  body.add(`${x} = ${converted(from, to, number)}`);
}

/** Skips a value. */
export function skipLeaf(body: OlderBody, node: Node): void {
  const fixed = node.kind === "bytes" ? node.length : widthOf(node);
  if (fixed > 0) body.try("", `${body.run("Item")}(b, i, ${fixed})`);
  else if (node.kind === "enumeration") body.try("_", `${body.run("Place")}(b, i, ${node.values.length})`);
  else body.try("_", callOf(body, node, true));
}

/** The call that reads what is not of a fixed width. */
function callOf(body: OlderBody, node: Node, isView: boolean): string {
  const view = isView ? "View" : "";
  switch (node.kind) {
    case "bool":
      return `${body.run("Flag")}(b, i)`;
    case "bytes":
      return `${body.run("Bytes")}(b, i)`;
    case "ascii":
      if (node.length > 0) return `${body.run(`FixedASCII${view}`)}(b, i, ${node.length})`;
      return `${body.run(`ASCII${view}`)}(b, i)`;
    case "utf8":
      return `${body.run(`Text${view}`)}(b, i)`;
    default:
      return `${body.run(varintName(node))}(b, i)`;
  }
}

/** A value as one of another type. */
function converted(from: Node, to: Node, x: string): string {
  const cast = castOf(from, to);
  return cast === "" ? x : `${cast}(${x})`;
}

/** The type that a number is converted to; "" where both are the same in Go. */
export function castOf(from: Node, to: Node): string {
  if (widthOf(from) === 0 && !isVarint(from)) return "";
  const [source, target] = [from, to].map(({ kind }) => PLAIN_TYPES[kind as keyof typeof PLAIN_TYPES]);
  return source === target ? "" : target!;
}

/** The condition that what was read means absent. */
export function isAbsent(body: OlderBody, kind: "zero" | "empty", type: Node, x: string): string {
  if (kind === "empty") return type.kind === "utf8" || type.kind === "ascii" ? `${x} == ""` : `len(${x}) == 0`;
  if (type.kind !== "f32" && type.kind !== "f64") return `${x} == 0`;
  // Of floats, only +0 is absent.
  const bits = type.kind.slice(1);
  return `${body.shared.use("math", `Float${bits}bits`)}(${body.shared.plain(type, x)}) == 0`;
}
