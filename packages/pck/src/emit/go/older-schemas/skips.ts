/** Statements that skip values which the new schema does not have. They are checked as if they were read. */
import { type Member, minBytesOf, type Node, type Struct, type UnionNode } from "../../../model/model.js";
import { absentValue, skippedFieldOrder } from "../../older-schemas/field-order.js";
import { MAX_INT32, minBytesInGo } from "../needs.js";
import { argumentsOf, parametersOf } from "../read-body.js";
import type { Lines } from "../text.js";
import { depthAt } from "../text.js";
import { PLAIN_TYPES } from "../types.js";
import { OlderBody, type OlderFunctions } from "./functions.js";
import { isAbsent, readLeaf, skipLeaf } from "./leaves.js";

/** Skips a field that is present. A value that means absent is an error. */
export function skipField(body: OlderBody, member: Member): void {
  const { type } = member;
  const kind = absentValue(member);
  if (kind === undefined) return skipValue(body, type, 0);
  const at = body.newName("at");
  body.add(`${at} := i`);
  let condition: string;
  if (type.kind === "array" || type.kind === "map") condition = `${skipContainer(body, type, 0)} == 0`;
  else {
    const skipped = body.newName("skipped");
    body.add(`var ${skipped} ${type.kind === "bytes" ? "[]byte" : PLAIN_TYPES[type.kind as keyof typeof PLAIN_TYPES]}`);
    readLeaf(body, type, type, skipped);
    condition = isAbsent(body, kind, type, skipped);
  }
  body.block(`if ${condition}`, () => body.fail(`${body.runtime("ReadError")}("ERR_NOT_CANONICAL", ${at})`));
}

/** Skips a value. */
export function skipValue(body: OlderBody, node: Node, level: number): void {
  switch (node.kind) {
    case "ref":
      return callSkip(body, node.struct, depthAt(level + 1));
    case "union":
      return skipUnion(body, node, level);
    case "array":
    case "map":
      skipContainer(body, node, level);
      return;
    case "nullable": {
      const isThere = body.newName("isThere");
      body.add(`var ${isThere} bool`);
      body.try(isThere, `${body.runtime("Flag")}(b, i)`);
      return body.block(`if ${isThere}`, () => skipValue(body, node.value, level));
    }
    default:
      skipLeaf(body, node);
  }
}

function skipUnion(body: OlderBody, node: UnionNode, level: number): void {
  const depth = depthAt(level + 1);
  if (body.functions.needs.typeIsDeep(node)) body.checkDepth(level + 1);
  const last = node.arms.length - 1;
  const place = last === 0 ? "_" : body.newName("place");
  if (last > 0) body.add(`var ${place} uint32`);
  body.try(place, `${body.runtime("NameIndex")}(b, i, ${node.arms.length})`);
  if (last === 0) return callSkip(body, node.arms[0]!.struct, depth);
  body.add(`switch ${place} {`);
  for (const [i, { struct }] of node.arms.entries()) {
    body.add(i < last ? `case ${i}:` : "default:");
    body.lines.indent(() => callSkip(body, struct, depth));
  }
  body.add("}");
}

/** Skips a list or map. Returns the expression of its count. */
function skipContainer(body: OlderBody, node: Node & { readonly kind: "array" | "map" }, level: number): string {
  body.checkDepth(level + 1);
  if (node.kind === "map") return skipMap(body, node, level);
  const { element, length } = node;
  const isInBits = element.kind === "bool" || element.kind === "nullable";
  const n = length > 0 ? String(length) : body.count(isInBits, minBytesInGo(element));
  const at = element.kind === "nullable" ? body.newName("at") : "";
  if (at !== "") body.add(`${at} := i`);
  if (isInBits) body.try("", `${body.runtime("SkipBits")}(b, i, ${n})`);
  if (element.kind === "bool") return n;
  if (element.kind === "nullable") {
    const k = body.newName("k");
    body.block(`for ${k} := range ${n}`, () =>
      body.block(`if ${body.runtime("Bit")}(b, ${at}, ${k})`, () => skipValue(body, element.value, level + 1)),
    );
    return n;
  }
  const least = minBytesInGo(element);
  const reserves = length === 0 && body.functions.needs.typeHasCounts(element);
  body.loop(`for range ${n}`, n, least, reserves, () => {
    skipValue(body, element, level + 1);
  });
  return n;
}

function skipMap(body: OlderBody, { key, value }: Node & { readonly kind: "map" }, level: number): string {
  const least = Math.min(MAX_INT32, minBytesOf(key) + minBytesOf(value));
  const n = body.count(false, least);
  const [k, last, at, found] = [body.newName("k"), body.newName("last"), body.newName("at"), body.newName("key")];
  const isName = key.kind === "enumeration";
  const type = isName ? "uint32" : PLAIN_TYPES[key.kind as keyof typeof PLAIN_TYPES];
  body.add(`var ${last} ${type}`);
  const reserves = body.functions.needs.typeHasCounts(value);
  body.loop(`for ${k} := range ${n}`, n, least, reserves, () => {
    body.add(`${at} := i`, `var ${found} ${type}`);
    if (isName) body.try(found, `${body.runtime("NameIndex")}(b, i, ${key.values.length})`);
    else readLeaf(body, key, key, found);
    body.block(`if ${k} > 0 && ${found} <= ${last}`, () =>
      body.fail(`${body.runtime("ReadError")}("ERR_MAP_ORDER", ${at})`),
    );
    body.add(`${last} = ${found}`);
    skipValue(body, value, level + 1);
  });
  return n;
}

/** Calls the function that skips a struct. */
export function callSkip(body: OlderBody, struct: Struct, depth: string): void {
  const { functions } = body;
  const { needs } = functions;
  if (struct.members.length === 0 && !needs.isDeep(struct)) return;
  const args = argumentsOf(needs.needsOf([struct]), depth);
  body.try("", `${structSkip(functions, struct)}(${args})`);
}

function structSkip(functions: OlderFunctions, struct: Struct): string {
  return functions.nameOf(`skip ${struct.index}`, functions.skipName(struct), "", (name): Lines => {
    const { needs } = functions;
    const body = new OlderBody(functions, needs.isDeep(struct));
    body.checkDepth(0);
    const { bitCount, usesBits, required, optional } = skippedFieldOrder(struct);
    const store = usesBits ? body.newName("store") : "";
    if (usesBits) body.add(`${store} := i`);
    if (bitCount > 0) body.try("", `${body.runtime("SkipBits")}(b, i, ${bitCount})`);
    for (const { from: member } of required) skipField(body, member);
    for (const { from: member, bit } of optional) {
      body.block(`if ${body.runtime("Bit")}(b, ${store}, ${bit})`, () => skipField(body, member));
    }
    body.add("return i, nil");
    return body.close(
      `${name} returns the end of a struct that the new schema does not have.`,
      `func ${name}(${parametersOf(needs.needsOf([struct]))}) (int, *${body.runtime("Error")})`,
    );
  });
}
