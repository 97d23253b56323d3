/** Lines that skip what the new schema has no more: it is checked as if it were read. */
import { type Member, minBytesOf, type Node, type Struct, type UnionNode } from "../../../model/model.js";
import { leastOf, MAX_LEAST } from "../plan.js";
import { argumentsOf, parametersOf } from "../read-body.js";
import type { Lines } from "../text.js";
import { depthAt, times } from "../text.js";
import { PLAIN_TYPES } from "../types.js";
import { OlderBody, type OlderFunctions } from "./functions.js";
import { isAbsent, readLeaf, skipLeaf } from "./leaves.js";

/** Skips a field that is there; one that means absent is refused. */
export function skipField(body: OlderBody, { type, omit }: Member): void {
  const kind = omit.has("zero") ? "zero" : omit.has("empty") ? "empty" : undefined;
  if (kind === undefined) return skipValue(body, type, 0);
  const at = body.fresh("at");
  body.add(`${at} := i`);
  let condition: string;
  if (type.kind === "array" || type.kind === "map") condition = `${skipContainer(body, type, 0)} == 0`;
  else {
    const skipped = body.fresh("skipped");
    body.add(`var ${skipped} ${type.kind === "bytes" ? "[]byte" : PLAIN_TYPES[type.kind as keyof typeof PLAIN_TYPES]}`);
    readLeaf(body, type, type, skipped);
    condition = isAbsent(body, kind, type, skipped);
  }
  body.block(`if ${condition}`, () => body.fail(`${body.run("Fail")}("ERR_NOT_CANONICAL", ${at})`));
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
      const isThere = body.fresh("isThere");
      body.add(`var ${isThere} bool`);
      body.try(isThere, `${body.run("Flag")}(b, i)`);
      return body.block(`if ${isThere}`, () => skipValue(body, node.value, level));
    }
    default:
      skipLeaf(body, node);
  }
}

function skipUnion(body: OlderBody, node: UnionNode, level: number): void {
  const depth = depthAt(level + 1);
  if (body.functions.plan.typeIsDeep(node)) body.checkDepth(level + 1);
  const last = node.arms.length - 1;
  const place = last === 0 ? "_" : body.fresh("place");
  if (last > 0) body.add(`var ${place} uint32`);
  body.try(place, `${body.run("Place")}(b, i, ${node.arms.length})`);
  if (last === 0) return callSkip(body, node.arms[0]!.struct, depth);
  body.add(`switch ${place} {`);
  for (const [i, { struct }] of node.arms.entries()) {
    body.add(i < last ? `case ${i}:` : "default:");
    body.lines.indent(() => callSkip(body, struct, depth));
  }
  body.add("}");
}

/** Skips a list or map; answers its count. */
function skipContainer(body: OlderBody, node: Node & { readonly kind: "array" | "map" }, level: number): string {
  body.checkDepth(level + 1);
  if (node.kind === "map") return skipMap(body, node, level);
  const { element, length } = node;
  const isInBits = element.kind === "bool" || element.kind === "nullable";
  const n = length > 0 ? String(length) : body.count(isInBits, leastOf(element));
  const at = element.kind === "nullable" ? body.fresh("at") : "";
  if (at !== "") body.add(`${at} := i`);
  if (isInBits) body.try("", `${body.run("Bits")}(b, i, ${n})`);
  if (element.kind === "bool") return n;
  if (element.kind === "nullable") {
    const k = body.fresh("k");
    body.block(`for ${k} := range ${n}`, () =>
      body.block(`if ${body.run("Bit")}(b, ${at}, ${k})`, () => skipValue(body, element.value, level + 1)),
    );
    return n;
  }
  const least = leastOf(element);
  const owes = length === 0 && body.functions.plan.typeHasCounts(element);
  if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
  body.block(`for range ${n}`, () => {
    if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
    skipValue(body, element, level + 1);
  });
  return n;
}

function skipMap(body: OlderBody, { key, value }: Node & { readonly kind: "map" }, level: number): string {
  const least = Math.min(MAX_LEAST, minBytesOf(key) + minBytesOf(value));
  const n = body.count(false, least);
  const [k, last, at, found] = [body.fresh("k"), body.fresh("last"), body.fresh("at"), body.fresh("key")];
  const isName = key.kind === "enumeration";
  const type = isName ? "uint32" : PLAIN_TYPES[key.kind as keyof typeof PLAIN_TYPES];
  body.add(`var ${last} ${type}`);
  const owes = body.functions.plan.typeHasCounts(value);
  if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
  body.block(`for ${k} := range ${n}`, () => {
    if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
    body.add(`${at} := i`, `var ${found} ${type}`);
    if (isName) body.try(found, `${body.run("Place")}(b, i, ${key.values.length})`);
    else readLeaf(body, key, key, found);
    body.block(`if ${k} > 0 && ${found} <= ${last}`, () => body.fail(`${body.run("Fail")}("ERR_MAP_ORDER", ${at})`));
    body.add(`${last} = ${found}`);
    skipValue(body, value, level + 1);
  });
  return n;
}

/** Calls the function that skips a struct. */
export function callSkip(body: OlderBody, struct: Struct, depth: string): void {
  const { functions } = body;
  const { plan } = functions;
  if (struct.members.length === 0 && !plan.isDeep(struct)) return;
  const args = argumentsOf(plan.isDeep(struct), plan.hasCounts(struct), depth);
  body.try("", `${structSkip(functions, struct)}(${args})`);
}

function structSkip(functions: OlderFunctions, struct: Struct): string {
  return functions.of(`skip ${struct.index}`, functions.skipName(struct), "", (name): Lines => {
    const { plan } = functions;
    const body = new OlderBody(functions, plan.isDeep(struct));
    body.checkDepth(0);
    const bits = struct.optionals.length + struct.bools.length;
    const store = struct.optionals.length > 0 ? body.fresh("store") : "";
    if (store !== "") body.add(`${store} := i`);
    if (bits > 0) body.try("", `${body.run("Bits")}(b, i, ${bits})`);
    for (const member of [...struct.fixed, ...struct.dynamic]) skipField(body, member);
    for (const [place, member] of struct.optionals.entries()) {
      body.block(`if ${body.run("Bit")}(b, ${store}, ${place})`, () => skipField(body, member));
    }
    body.add("return i, nil");
    const parameters = parametersOf(plan.isDeep(struct), plan.hasCounts(struct));
    return body.close(
      `${name} answers where a struct that there is no more ends.`,
      `func ${name}(b []byte, ${parameters} int) (int, *${body.run("Error")})`,
    );
  });
}
