/**
 * Statements that read values of every type. Lists and maps are here too, because values contain them and they
 * contain values.
 */
import { minBytesOf, type Node, type Struct } from "../../model/model.js";
import { numberCode } from "./fixed-width.js";
import { MAX_INT32, minBytesInGo } from "./needs.js";
import { argumentsOf, type ReadBody } from "./read-body.js";
import { depthAt, operand, times } from "./text.js";
import { hasPlainType, PLAIN_TYPES, pointed, varintName, widthOf } from "./types.js";

/** The most pairs that a map allocates room for in advance: an untrusted count may exceed the bytes. */
const MAX_INITIAL_PAIRS = 1024;

/** Reads a value into `x`. `level`: the number of containers around the value within its struct. */
export function readValue(body: ReadBody, node: Node, x: string, level: number): void {
  const { context } = body;
  const width = widthOf(node);
  if (width > 0) {
    body.checkWidth(width);
    const number = numberCode(context, node, width === 1 ? "b[i]" : "b[i:]");
    body.add(`${x} = ${context.owned(node, number)}`, width === 1 ? "i++" : `i += ${width}`);
    return;
  }
  if (hasPlainType(node.kind) && context.ownType(node) !== undefined) {
    const plain = body.newName("plain");
    body.add(`var ${plain} ${PLAIN_TYPES[node.kind]}`);
    readPlain(body, node, plain, level);
    body.add(`${x} = ${context.owned(node, plain)}`);
  } else readPlain(body, node, x, level);
}

/** Reads a value that has no fixed width into `x`, which has Go's plain type. */
function readPlain(body: ReadBody, node: Node, x: string, level: number): void {
  const { context } = body;
  const text = context.settings.strings === "view" ? "View" : "";
  switch (node.kind) {
    case "bool": // a map's value, or nullable
      return body.try(x, `${body.runtime("Flag")}(b, i)`);
    case "uvar":
    case "ivar":
      return readVarint(body, node.kind, x);
    case "uvar64":
    case "ivar64":
      return body.try(x, `${body.runtime(varintName(node))}(b, i)`);
    case "enumeration": {
      const place = body.newName("place");
      body.add(`var ${place} uint32`);
      body.try(place, `${body.runtime("NameIndex")}(b, i, ${node.values.length})`);
      return body.add(`${x} = ${context.type(node)}(${place})`);
    }
    case "bytes":
      if (node.length === 0) return body.try(x, `${body.runtime("Bytes")}(b, i)`);
      body.checkWidth(node.length);
      // the spaces are gofmt's
      return body.add(`${x} = [${node.length}]byte(b[i : i+${node.length}])`, `i += ${node.length}`);
    case "utf8":
      return body.try(x, `${body.runtime(`Text${text}`)}(b, i)`);
    case "ascii":
      if (node.length === 0) return body.try(x, `${body.runtime(`ASCII${text}`)}(b, i)`);
      return body.try(x, `${body.runtime(`FixedASCII${text}`)}(b, i, ${node.length})`);
    case "ref":
      if (context.isRefPointer(node)) {
        body.takeMemory(context.memory.countedTarget(node));
        body.add(`${x} = ${context.newOf(node)}`);
      }
      return readStruct(body, node.struct, x, level);
    case "union": {
      const args = argumentsOf(context.unionNeeds(node), depthAt(level + 1));
      return body.try(x, `decode${context.names.named(node).name}(${args})`);
    }
    case "array":
      return readArray(body, node, x, level);
    case "map":
      return readMap(body, node, x, level);
    case "nullable": {
      // a map's value: lists of nullable values have presence bits
      const isThere = body.newName("isThere");
      body.add(`var ${isThere} bool`);
      body.try(isThere, `${body.runtime("Flag")}(b, i)`);
      return body.block(`if ${isThere}`, () => readPointed(body, node.value, x, level));
    }
  }
}

/** Reads a varint: one byte, the usual case, without a call. */
function readVarint(body: ReadBody, kind: "uvar" | "ivar", x: string): void {
  body.add("if i < len(b) && b[i] < 0x80 {");
  body.lines.indent(() =>
    body.add(`${x} = ${kind === "uvar" ? "uint32(b[i])" : "int32(b[i]>>1) ^ -int32(b[i]&1)"}`, "i++"),
  );
  const call = `${body.runtime(kind === "uvar" ? "Uvar" : "Ivar")}(b, i)`;
  body.block(`} else if ${x}, i, ${body.err} = ${call}; err != nil`, () => body.fail("err"));
}

/** Reads a nullable value that is present. `x` points to it. */
export function readPointed(body: ReadBody, value: Node, x: string, level: number): void {
  if (value.kind !== "union") {
    body.takeMemory(body.context.memory.countedTarget(value));
    body.add(`${x} = ${body.context.newOf(value)}`);
  }
  readValue(body, value, pointed(value, x), level);
}

/** Reads a struct into `x`: inline if it is small, else by its method. */
export function readStruct(body: ReadBody, struct: Struct, x: string, level: number): void {
  const { context } = body;
  const { needs, names } = context;
  if (context.isSmall(struct)) {
    // The union has checked the depth, which it shares with its arm's struct.
    if (needs.isDeep(struct) && level >= 0) body.checkDepth(level + 1);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      readValue(body, member.type, `${x}.${names.field(member)}`, level);
    }
    return;
  }
  body.try("", `${x}.decode(${argumentsOf(context.structNeeds(struct), depthAt(level + 1))})`);
}

/** Reads a list into `x`. */
function readArray(body: ReadBody, node: Node & { readonly kind: "array" }, x: string, level: number): void {
  const { context } = body;
  const { element, length } = node;
  body.checkDepth(level + 1);
  const isInBits = element.kind === "bool" || element.kind === "nullable";
  const n = length > 0 ? String(length) : body.count(isInBits, minBytesInGo(element), context.memory.listCost(element));
  if (element.kind === "u8" && length === 0 && context.ownType(element) === undefined) {
    body.add(`${x} = append([]byte{}, b[i:i+${n}]...)`, `i += ${n}`);
    return;
  }
  const at = element.kind === "nullable" ? body.newName("at") : "";
  if (at !== "") {
    body.add(`${at} := i`);
    body.try("", `${body.runtime("SkipBits")}(b, i, ${n})`);
  }
  const list = length > 0 ? x : body.newName("list");
  const whole = length > 0 ? `${operand(list)}[:]` : list;
  if (length === 0) body.add(`${list} := make([]${context.type(element)}, ${n})`);
  if (element.kind === "bool") body.try("", `${body.runtime("Bools")}(b, i, ${whole})`);
  else if (element.kind === "uvar") body.try("", `${body.runtime("Uvars")}(b, i, ${whole})`);
  else if (widthOf(element) > 0) readNumbers(body, element, list, length, n);
  else readElements(body, node, list, n, at, level);
  if (length === 0) body.add(`${x} = ${list}`);
}

/** Reads elements one by one. `at`: the position of the presence bits of nullable elements. */
function readElements(
  body: ReadBody,
  { element, length }: Node & { readonly kind: "array" },
  list: string,
  n: string,
  at: string,
  level: number,
): void {
  const k = body.newName("k");
  const item = `${operand(list)}[${k}]`;
  const reserves = length === 0 && at === "" && body.context.needs.typeHasCounts(element);
  const least = minBytesInGo(element);
  body.loop(`for ${k} := range ${list}`, n, least, reserves, () => {
    if (element.kind !== "nullable") return readValue(body, element, item, level + 1);
    body.lines.either(
      `if ${body.runtime("Bit")}(b, ${at}, ${k})`,
      () => readPointed(body, element.value, item, level + 1),
      // A fixed list is part of the struct and may hold old elements.
      length > 0 ? () => body.add(`${item} = nil`) : undefined,
    );
  });
}

/** Reads numbers of fixed width. A list with a count has been checked against the bytes left. */
function readNumbers(body: ReadBody, element: Node, list: string, length: number, n: string): void {
  const { context } = body;
  const width = widthOf(element);
  if (length > 0) {
    body.block(`if len(b)-i < ${width * length}`, () => body.fail(`${body.runtime("ListError")}(b, i, ${width})`));
  }
  if (element.kind === "u8" && context.ownType(element) === undefined) body.add(`copy(${operand(list)}[:], b[i:])`);
  else {
    const k = body.newName("k");
    const number = numberCode(context, element, width === 1 ? `b[i+${k}]` : `b[i+${times(width, k)}:]`);
    body.block(`for ${k} := range ${list}`, () =>
      body.add(`${operand(list)}[${k}] = ${context.owned(element, number)}`),
    );
  }
  body.add(`i += ${length > 0 ? width * length : times(width, n).replace("*", " * ")}`);
}

/** Reads a map into `x`. */
function readMap(body: ReadBody, node: Node & { readonly kind: "map" }, x: string, level: number): void {
  const { needs } = body.context;
  const least = Math.min(MAX_INT32, minBytesOf(node.key) + minBytesOf(node.value));
  const [keyType, valueType] = [body.context.type(node.key), body.context.type(node.value)];
  body.checkDepth(level + 1);
  const n = body.count(false, least, body.context.memory.mapCost(node));
  const [pairs, k, key, value] = [body.newName("pairs"), body.newName("k"), body.newName("key"), body.newName("value")];
  const [last, at] = [body.newName("last"), body.newName("at")];
  body.add(`${pairs} := make(map[${keyType}]${valueType}, min(${n}, ${MAX_INITIAL_PAIRS}))`, `var ${last} ${keyType}`);
  const reserves = needs.typeHasCounts(node.value);
  body.loop(`for ${k} := range ${n}`, n, least, reserves, () => {
    body.add(`${at} := i`, `var ${key} ${keyType}`);
    readValue(body, node.key, key, level + 1);
    body.block(`if ${k} > 0 && ${key} <= ${last}`, () =>
      body.fail(`${body.runtime("ReadError")}("ERR_MAP_ORDER", ${at})`),
    );
    body.add(`${last} = ${key}`, `var ${value} ${valueType}`);
    readValue(body, node.value, value, level + 1);
    body.add(`${pairs}[${key}] = ${value}`);
  });
  body.add(`${x} = ${pairs}`);
}
