/** Values, as Go reads them: numbers, text, structs and what leads to them. Lists and maps are in read-containers.ts. */
import type { Node, Struct } from "../../model/model.js";
import type { ReadBody } from "./read-body.js";
import { argumentsOf } from "./read-body.js";
import { readArray, readMap } from "./read-containers.js";
import { numberCode } from "./store.js";
import { depthAt } from "./text.js";
import { isPlain, PLAIN_TYPES, pointed, varintName, widthOf } from "./types.js";

/** Reads a value into `x`, in so many containers of the struct. */
export function readValue(body: ReadBody, node: Node, x: string, level: number): void {
  const { shared } = body;
  const width = widthOf(node);
  if (width > 0) {
    body.checkWidth(width);
    const number = numberCode(shared, node, width === 1 ? "b[i]" : "b[i:]");
    body.add(`${x} = ${shared.owned(node, number)}`, width === 1 ? "i++" : `i += ${width}`);
    return;
  }
  if (isPlain(node.kind) && shared.ownType(node) !== undefined) {
    const plain = body.fresh("plain");
    body.add(`var ${plain} ${PLAIN_TYPES[node.kind]}`);
    readPlain(body, node, plain, level);
    body.add(`${x} = ${shared.owned(node, plain)}`);
  } else readPlain(body, node, x, level);
}

/** Reads a value that is no number of a fixed width into `x`, which is of Go's own type for it. */
function readPlain(body: ReadBody, node: Node, x: string, level: number): void {
  const { shared } = body;
  const text = shared.settings.strings === "view" ? "View" : "";
  switch (node.kind) {
    case "bool": // a map's value, or in nullable
      return body.try(x, `${body.run("Flag")}(b, i)`);
    case "uvar":
    case "ivar":
      return readVarint(body, node.kind, x);
    case "uvar64":
    case "ivar64":
      return body.try(x, `${body.run(varintName(node))}(b, i)`);
    case "enumeration": {
      const place = body.fresh("place");
      body.add(`var ${place} uint32`);
      body.try(place, `${body.run("Place")}(b, i, ${node.values.length})`);
      return body.add(`${x} = ${shared.type(node)}(${place})`);
    }
    case "bytes":
      if (node.length === 0) return body.try(x, `${body.run("Bytes")}(b, i)`);
      body.checkWidth(node.length);
      // gofmt's spaces.
      return body.add(`${x} = [${node.length}]byte(b[i : i+${node.length}])`, `i += ${node.length}`);
    case "utf8":
      return body.try(x, `${body.run(`Text${text}`)}(b, i)`);
    case "ascii":
      if (node.length === 0) return body.try(x, `${body.run(`ASCII${text}`)}(b, i)`);
      return body.try(x, `${body.run(`FixedASCII${text}`)}(b, i, ${node.length})`);
    case "ref":
      if (shared.isRefPointer(node)) body.add(`${x} = ${shared.newOf(node)}`);
      return readStruct(body, node.struct, x, level);
    case "union": {
      const { plan, names } = shared;
      const args = argumentsOf(plan.typeIsDeep(node), plan.typeHasCounts(node), depthAt(level + 1));
      return body.try(x, `decode${names.named(node).name}(${args})`);
    }
    case "array":
      return readArray(body, node, x, level);
    case "map":
      return readMap(body, node, x, level);
    case "nullable": {
      // as a map's value: arrays have bits of their own
      const isThere = body.fresh("isThere");
      body.add(`var ${isThere} bool`);
      body.try(isThere, `${body.run("Flag")}(b, i)`);
      return body.block(`if ${isThere}`, () => readPointed(body, node.value, x, level));
    }
  }
}

/** A varint of one byte, as most are, without a call. */
function readVarint(body: ReadBody, kind: "uvar" | "ivar", x: string): void {
  body.add("if i < len(b) && b[i] < 0x80 {");
  body.lines.indent(() =>
    body.add(`${x} = ${kind === "uvar" ? "uint32(b[i])" : "int32(b[i]>>1) ^ -int32(b[i]&1)"}`, "i++"),
  );
  const call = `${body.run(kind === "uvar" ? "Uvar" : "Ivar")}(b, i)`;
  body.block(`} else if ${x}, i, ${body.err} = ${call}; err != nil`, () => body.fail("err"));
}

/** Reads a value that may be nil and is there: `x` points to it. */
export function readPointed(body: ReadBody, value: Node, x: string, level: number): void {
  if (value.kind !== "union") body.add(`${x} = ${body.shared.newOf(value)}`);
  readValue(body, value, pointed(value, x), level);
}

/** Reads a struct into `x`, by its method, or where it stands if it is small. */
export function readStruct(body: ReadBody, struct: Struct, x: string, level: number): void {
  const { shared } = body;
  const { plan, names } = shared;
  if (shared.isSmall(struct)) {
    // A union is on one level with its arm's struct, and has checked it.
    if (plan.isDeep(struct) && level >= 0) body.checkDepth(level + 1);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      readValue(body, member.type, `${x}.${names.field(member)}`, level);
    }
    return;
  }
  body.try("", `${x}.decode(${argumentsOf(plan.isDeep(struct), plan.hasCounts(struct), depthAt(level + 1))})`);
}
