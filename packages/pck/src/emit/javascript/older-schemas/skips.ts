/** Source text that skips values which the new schema does not have. They are checked as if they were read. */
import { isWide } from "../../../evolve/numbers.js";
import { camel } from "../../../generate/names.js";
import { type Member, minBytesOf, type Node, type Struct, type UnionNode } from "../../../model/model.js";
import { absentValue, skippedFieldOrder } from "../../older-schemas/field-order.js";
import { isDeepUnion, type OlderFunctions, olderName } from "./functions.js";
import { OlderBody } from "./older-body.js";

/** Skips a field that is present. Throws if its value means absent. */
export function skipField(body: OlderBody, member: Member): void {
  const { code } = body;
  const { type } = member;
  const kind = absentValue(member);
  if (kind === undefined) return skipValue(body, type, 0);
  const start = body.names.unique("start");
  code.line(`const ${start} = r.pos;`);
  let isAbsent: string;
  if (type.kind === "array" || type.kind === "map") isAbsent = `${skipContainer(body, type, 0)} === 0`;
  else isAbsent = body.isAbsent(kind, type, skippedLeaf(body, type), isWide(type.kind));
  code.line(`if (${isAbsent}) throw ${body.use("notCanonical")}(${start});`);
}

/** Skips a value. */
export function skipValue(body: OlderBody, node: Node, level: number): void {
  const { code, functions } = body;
  switch (node.kind) {
    case "enumeration":
      return code.line(`${body.use("readIndex")}(r, ${node.values.length});`);
    case "ref":
      return callSkip(body, node.struct, level + 1);
    case "union": {
      const depth = body.depthArgument(isDeepUnion(functions.traits, node), level + 1);
      return code.line(`${unionSkip(functions, node, body.owner)}(r${depth});`);
    }
    case "array":
    case "map":
      skipContainer(body, node, level);
      return;
    case "nullable":
      code.open(`if (${body.presence(node.value, functions.skipped)}) {`);
      skipValue(body, node.value, level);
      return code.close();
    default:
      return code.line(`${skippedLeaf(body, node)};`);
  }
}

/** Returns the expression that reads a value which is not used: bytes are not copied. */
function skippedLeaf(body: OlderBody, node: Node): string {
  if (node.kind !== "bytes") return body.leaf(node);
  return `${body.use("readBinaryView")}(r${node.length === 0 ? "" : `, ${node.length}`})`;
}

/** Skips a list or map. Returns the expression of its count. */
function skipContainer(body: OlderBody, node: Node & { readonly kind: "array" | "map" }, level: number): string {
  const { code, names } = body;
  body.checkDepth(level + 1);
  if (node.kind === "map") return skipMap(body, node, level);
  const { element, length } = node;
  const count = body.count(node, body.functions.skipped);
  if (element.kind === "bool") code.line(`${body.use("readBits")}(r, ${count});`);
  else if (element.kind === "nullable") {
    const bits = names.unique("bits");
    code.line(`const ${bits} = ${body.use("readBits")}(r, ${count});`);
    body.loop(count, 0, false, (i) => {
      code.open(`if (${body.use("bitAt")}(r, ${bits}, ${i})) {`);
      body.countElements(body.functions.skipped.nullable(element.value));
      skipValue(body, element.value, level + 1);
      code.close();
    });
  } else {
    const reserves = length === 0 && body.reserves(element);
    body.loop(count, minBytesOf(element), reserves, () => skipValue(body, element, level + 1));
  }
  return count;
}

function skipMap(body: OlderBody, node: Node & { readonly kind: "map" }, level: number): string {
  const { code, names } = body;
  const min = minBytesOf(node.key) + minBytesOf(node.value);
  const [count, last] = [names.unique("count"), names.unique("last")];
  const weight = body.functions.skipped.pair(node);
  code.line(`const ${count} = ${body.use("readMapCount")}(r, ${min}, ${weight});`);
  const isText = node.key.kind === "utf8" || node.key.kind === "ascii";
  code.line(`let ${last} = ${isText ? '""' : isWide(node.key.kind) ? "0n" : "0"};`);
  body.loop(count, min, body.reserves(node.value), (i) => {
    const [start, key] = [names.unique("start"), names.unique("key")];
    const { key: type } = node;
    const read = type.kind === "enumeration" ? `${body.use("readIndex")}(r, ${type.values.length})` : body.leaf(type);
    code.line(`const ${start} = r.pos;`, `const ${key} = ${read};`);
    body.ascend(type, i, last, key, start);
    skipValue(body, node.value, level + 1);
  });
  return count;
}

/** Calls the function that skips a struct, `level` levels below the struct of the body. */
export function callSkip(body: OlderBody, struct: Struct, level: number): void {
  if (struct.members.length === 0 && !body.functions.traits.isDeep(struct)) return;
  body.code.line(`${structSkip(body.functions, struct)}(r${body.depthArgument(struct, level)});`);
}

function structSkip(functions: OlderFunctions, struct: Struct): string {
  const stem = camel("skip", olderName(struct), "Of", functions.version.name);
  return functions.nameOf(`skip ${struct.index}`, stem, (name) => {
    const body = new OlderBody(functions, functions.traits.isDeep(struct));
    const { code } = body;
    body.checkDepth(0);
    const { bitCount, usesBits, required, optional } = skippedFieldOrder(struct);
    const bits = usesBits ? body.names.unique("bits") : "";
    if (bitCount > 0) code.line(`${usesBits ? `const ${bits} = ` : ""}${body.use("readBits")}(r, ${bitCount});`);
    for (const { from: member } of required) {
      body.owner = camel(olderName(struct), member.name);
      skipField(body, member);
    }
    for (const { from: member, bit } of optional) {
      body.owner = camel(olderName(struct), member.name);
      code.open(`if (${body.use("bitAt")}(r, ${bits}, ${bit})) {`);
      body.countElements(functions.skipped.present(member.type));
      skipField(body, member);
      code.close();
    }
    return body.functionText(name, "void");
  });
}

function unionSkip(functions: OlderFunctions, union: UnionNode, owner: string): string {
  const key = `skip ${JSON.stringify(union.arms.map((arm) => arm.struct.index))}`;
  return functions.nameOf(key, camel("skip", owner, "Of", functions.version.name), (name) => {
    const body = new OlderBody(functions, isDeepUnion(functions.traits, union));
    const { code } = body;
    body.checkDepth(0);
    code.open(`switch (${body.use("readIndex")}(r, ${union.arms.length})) {`);
    for (const [i, arm] of union.arms.entries()) {
      code.open(i < union.arms.length - 1 ? `case ${i}:` : "default:");
      body.countElements(functions.skipped.struct(arm.struct));
      callSkip(body, arm.struct, 0);
      if (i < union.arms.length - 1) code.line("break;");
      code.endCase();
    }
    code.close();
    return body.functionText(name, "void");
  });
}
