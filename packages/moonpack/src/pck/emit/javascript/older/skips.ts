/** Source text that skips what the new schema has no more: it is checked as if it were read. */
import { isWide } from "../../../evolve/numbers.js";
import { Code } from "../../../generate/code.js";
import { camel } from "../../../generate/names.js";
import { type Member, minBytesOf, type Node, type Struct, type UnionNode } from "../../../model/model.js";
import { Body } from "./body.js";
import { isDeepUnion, type OlderFunctions, olderName } from "./functions.js";

/** Skips a field that is there; one that means absent is refused. */
export function skipField(body: Body, { type, omit }: Member): void {
  const { code } = body;
  const kind = omit.has("zero") ? "zero" : omit.has("empty") ? "empty" : undefined;
  if (kind === undefined) return skipValue(body, type, 0);
  const start = body.names.of("start");
  code.line(`const ${start} = r.pos;`);
  let isAbsent: string;
  if (type.kind === "array" || type.kind === "map") isAbsent = `${skipContainer(body, type, 0)} === 0`;
  else isAbsent = body.isAbsent(kind, type, skippedLeaf(body, type), isWide(type.kind));
  code.line(`if (${isAbsent}) throw ${body.use("notCanonical")}(${start});`);
}

/** Skips a value. */
export function skipValue(body: Body, node: Node, level: number): void {
  const { code, functions } = body;
  switch (node.kind) {
    case "enumeration":
      return code.line(`${body.use("readIndex")}(r, ${node.values.length});`);
    case "ref":
      return callSkip(body, node.struct, level + 1);
    case "union": {
      const depth = body.depthArgument(isDeepUnion(functions.facts, node), level + 1);
      return code.line(`${unionSkip(functions, node, body.owner)}(r${depth});`);
    }
    case "array":
    case "map":
      skipContainer(body, node, level);
      return;
    case "nullable":
      code.open(`if (${body.use("readFlag")}(r)) {`);
      skipValue(body, node.value, level);
      return code.close();
    default:
      return code.line(`${skippedLeaf(body, node)};`);
  }
}

/** The expression that reads what nobody will see: bytes are not copied. */
function skippedLeaf(body: Body, node: Node): string {
  if (node.kind !== "bytes") return body.leaf(node);
  return `${body.use("readBinaryView")}(r${node.length === 0 ? "" : `, ${node.length}`})`;
}

/** Skips a list or map; answers its count. */
function skipContainer(body: Body, node: Node & { readonly kind: "array" | "map" }, level: number): string {
  const { code, names } = body;
  body.checkDepth(level + 1);
  if (node.kind === "map") return skipMap(body, node, level);
  const { element, length } = node;
  const count = body.count(node);
  if (element.kind === "bool") code.line(`${body.use("readBits")}(r, ${count});`);
  else if (element.kind === "nullable") {
    const bits = names.of("bits");
    code.line(`const ${bits} = ${body.use("readBits")}(r, ${count});`);
    body.loop(count, 0, false, (i) => {
      code.open(`if (${body.use("bitAt")}(r, ${bits}, ${i})) {`);
      skipValue(body, element.value, level + 1);
      code.close();
    });
  } else {
    const owes = length === 0 && body.owes(element);
    body.loop(count, minBytesOf(element), owes, () => skipValue(body, element, level + 1));
  }
  return count;
}

function skipMap(body: Body, node: Node & { readonly kind: "map" }, level: number): string {
  const { code, names } = body;
  const min = minBytesOf(node.key) + minBytesOf(node.value);
  const [count, last] = [names.of("count"), names.of("last")];
  code.line(`const ${count} = ${body.use("readCount")}(r, ${min});`);
  const isText = node.key.kind === "utf8" || node.key.kind === "ascii";
  code.line(`let ${last} = ${isText ? '""' : isWide(node.key.kind) ? "0n" : "0"};`);
  body.loop(count, min, body.owes(node.value), (i) => {
    const [start, key] = [names.of("start"), names.of("key")];
    const { key: type } = node;
    const read = type.kind === "enumeration" ? `${body.use("readIndex")}(r, ${type.values.length})` : body.leaf(type);
    code.line(`const ${start} = r.pos;`, `const ${key} = ${read};`);
    body.ascend(type, i, last, key, start);
    skipValue(body, node.value, level + 1);
  });
  return count;
}

/** Calls the function that skips a struct, `level` levels below that of the body. */
export function callSkip(body: Body, struct: Struct, level: number): void {
  if (struct.members.length === 0 && !body.functions.facts.isDeep(struct)) return;
  body.code.line(`${structSkip(body.functions, struct)}(r${body.depthArgument(struct, level)});`);
}

function structSkip(functions: OlderFunctions, struct: Struct): string {
  const stem = camel("skip", olderName(struct), "Of", functions.version.name);
  return functions.of(`skip ${struct.index}`, stem, (name) => {
    const body = new Body(functions, functions.facts.isDeep(struct));
    const { code } = body;
    body.checkDepth(0);
    const count = struct.optionals.length + struct.bools.length;
    const isBound = struct.optionals.length > 0;
    const bits = isBound ? body.names.of("bits") : "";
    if (count > 0) code.line(`${isBound ? `const ${bits} = ` : ""}${body.use("readBits")}(r, ${count});`);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      body.owner = camel(olderName(struct), member.name);
      skipField(body, member);
    }
    for (const [i, member] of struct.optionals.entries()) {
      body.owner = camel(olderName(struct), member.name);
      code.open(`if (${body.use("bitAt")}(r, ${bits}, ${i})) {`);
      skipField(body, member);
      code.close();
    }
    return skipText(body, name);
  });
}

function unionSkip(functions: OlderFunctions, union: UnionNode, owner: string): string {
  const key = `skip ${JSON.stringify(union.arms.map((arm) => arm.struct.index))}`;
  return functions.of(key, camel("skip", owner, "Of", functions.version.name), (name) => {
    const body = new Body(functions, isDeepUnion(functions.facts, union));
    const { code } = body;
    body.checkDepth(0);
    code.open(`switch (${body.use("readIndex")}(r, ${union.arms.length})) {`);
    for (const [i, arm] of union.arms.entries()) {
      code.open(i < union.arms.length - 1 ? `case ${i}:` : "default:");
      callSkip(body, arm.struct, 0);
      if (i < union.arms.length - 1) code.line("break;");
      code.end();
    }
    code.close();
    return skipText(body, name);
  });
}

function skipText({ code: inner, isDeep, module }: Body, name: string): string {
  const code = new Code();
  const depth = isDeep ? `, depth${module.typed(": number")}` : "";
  code.open(`function ${name}(r${module.typed(": PackReader")}${depth})${module.typed(": void")} {`);
  for (const line of inner.toString().trimEnd().split("\n")) code.line(line);
  code.close();
  return code.toString();
}
