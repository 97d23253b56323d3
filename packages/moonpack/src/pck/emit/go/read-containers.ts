/** Lists, maps and what may be nil, as Go reads them. */
import { minBytesOf, type Node } from "../../model/model.js";
import { leastOf, MAX_LEAST } from "./plan.js";
import type { ReadBody } from "./read-body.js";
import { readPointed, readValue } from "./read-values.js";
import { numberCode } from "./store.js";
import { operand, times } from "./text.js";
import { widthOf } from "./types.js";

/** A map makes room for so many pairs at once; what a count says beyond that, the bytes have to prove. */
const MAX_ROOM = 1024;

/** Reads a list into `x`, in so many containers of the struct. */
export function readArray(body: ReadBody, node: Node & { readonly kind: "array" }, x: string, level: number): void {
  const { shared } = body;
  const { element, length } = node;
  body.checkDepth(level + 1);
  const isInBits = element.kind === "bool" || element.kind === "nullable";
  const n = length > 0 ? String(length) : body.count(isInBits, leastOf(element));
  if (element.kind === "u8" && length === 0 && shared.ownType(element) === undefined) {
    body.add(`${x} = append([]byte{}, b[i:i+${n}]...)`, `i += ${n}`);
    return;
  }
  const at = element.kind === "nullable" ? body.fresh("at") : "";
  if (at !== "") {
    body.add(`${at} := i`);
    body.try("", `${body.run("Bits")}(b, i, ${n})`);
  }
  const list = length > 0 ? x : body.fresh("list");
  const whole = length > 0 ? `${operand(list)}[:]` : list;
  if (length === 0) body.add(`${list} := make([]${shared.type(element)}, ${n})`);
  if (element.kind === "bool") body.try("", `${body.run("Bools")}(b, i, ${whole})`);
  else if (element.kind === "uvar") body.try("", `${body.run("Uvars")}(b, i, ${whole})`);
  else if (widthOf(element) > 0) readNumbers(body, element, list, length, n);
  else readElements(body, node, list, n, at, level);
  if (length === 0) body.add(`${x} = ${list}`);
}

/** Elements one by one. `at`: where the bits of those begin that may be nil. */
function readElements(
  body: ReadBody,
  { element, length }: Node & { readonly kind: "array" },
  list: string,
  n: string,
  at: string,
  level: number,
): void {
  const k = body.fresh("k");
  const item = `${operand(list)}[${k}]`;
  const owes = length === 0 && at === "" && body.shared.plan.typeHasCounts(element);
  const least = leastOf(element);
  if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
  body.block(`for ${k} := range ${list}`, () => {
    if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
    if (element.kind !== "nullable") return readValue(body, element, item, level + 1);
    body.lines.either(
      `if ${body.run("Bit")}(b, ${at}, ${k})`,
      () => readPointed(body, element.value, item, level + 1),
      // A fixed list is of the struct itself, and may hold old elements.
      length > 0 ? () => body.add(`${item} = nil`) : undefined,
    );
  });
}

/** Numbers of fixed width, which lie side by side. Of a list with a count, all are there. */
function readNumbers(body: ReadBody, element: Node, list: string, length: number, n: string): void {
  const { shared } = body;
  const width = widthOf(element);
  if (length > 0) {
    body.block(`if len(b)-i < ${width * length}`, () => body.fail(`${body.run("CutShortEach")}(b, i, ${width})`));
  }
  if (element.kind === "u8" && shared.ownType(element) === undefined) body.add(`copy(${operand(list)}[:], b[i:])`);
  else {
    const k = body.fresh("k");
    const number = numberCode(shared, element, width === 1 ? `b[i+${k}]` : `b[i+${times(width, k)}:]`);
    body.block(`for ${k} := range ${list}`, () =>
      body.add(`${operand(list)}[${k}] = ${shared.owned(element, number)}`),
    );
  }
  body.add(`i += ${length > 0 ? width * length : times(width, n).replace("*", " * ")}`);
}

/** Reads a map into `x`, in so many containers of the struct. */
export function readMap(body: ReadBody, node: Node & { readonly kind: "map" }, x: string, level: number): void {
  const { plan } = body.shared;
  const least = Math.min(MAX_LEAST, minBytesOf(node.key) + minBytesOf(node.value));
  const [keyType, valueType] = [body.shared.type(node.key), body.shared.type(node.value)];
  body.checkDepth(level + 1);
  const n = body.count(false, least);
  const [pairs, k, key, value] = [body.fresh("pairs"), body.fresh("k"), body.fresh("key"), body.fresh("value")];
  const [last, at] = [body.fresh("last"), body.fresh("at")];
  body.add(`${pairs} := make(map[${keyType}]${valueType}, min(${n}, ${MAX_ROOM}))`, `var ${last} ${keyType}`);
  const owes = plan.typeHasCounts(node.value);
  if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
  body.block(`for ${k} := range ${n}`, () => {
    if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
    body.add(`${at} := i`, `var ${key} ${keyType}`);
    readValue(body, node.key, key, level + 1);
    body.block(`if ${k} > 0 && ${key} <= ${last}`, () => body.fail(`${body.run("Fail")}("ERR_MAP_ORDER", ${at})`));
    body.add(`${last} = ${key}`, `var ${value} ${valueType}`);
    readValue(body, node.value, value, level + 1);
    body.add(`${pairs}[${key}] = ${value}`);
  });
  body.add(`${x} = ${pairs}`);
}
