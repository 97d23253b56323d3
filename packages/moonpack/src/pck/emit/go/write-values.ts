/** Values, as Go writes them: numbers, text, structs and what leads to them. Lists and maps are in write-containers.ts. */
import type { Node, Struct } from "../../model/model.js";
import type { Path } from "./path.js";
import { bitsCode, byteCode } from "./store.js";
import { depthAt, operand } from "./text.js";
import { pointed, varintName, widthOf } from "./types.js";
import type { WriteBody } from "./write-body.js";
import { writeArray, writeMap } from "./write-containers.js";

/** Appends the value `held`, which lies at `path` in the struct, in so many containers. */
export function writeValue(body: WriteBody, node: Node, held: string, path: Path, level: number): void {
  const { shared } = body;
  const x = shared.plain(node, held);
  const width = widthOf(node);
  if (width === 1) return body.add(`b = append(b, ${byteCode(node, x)})`);
  if (width > 0) {
    const append = shared.use("encoding/binary", `LittleEndian.AppendUint${8 * width}`);
    return body.add(`b = ${append}(b, ${bitsCode(shared, node, x)})`);
  }
  switch (node.kind) {
    case "bool": // a map's value, or in nullable
      return body.add(`b = ${body.run("AppendFlag")}(b, ${x})`);
    case "ivar":
      return body.add(`b = ${body.run("AppendUvar")}(b, ${body.run("Zigzag")}(${x}))`);
    case "uvar":
    case "uvar64":
    case "ivar64":
      return body.add(`b = ${body.run(`Append${varintName(node)}`)}(b, ${x})`);
    case "enumeration":
      body.block(`if ${x} >= ${node.values.length}`, () => body.fail("ERR_OUT_OF_RANGE", path));
      return body.add(`b = ${body.run("AppendUvar")}(b, uint32(${x}))`);
    case "bytes":
      if (node.length > 0) return body.add(`b = append(b, ${operand(x)}[:]...)`);
      return body.try(`${body.run("AppendBytes")}(b, ${x})`, path);
    case "utf8":
      return body.try(`${body.run("AppendText")}(b, ${x})`, path);
    case "ascii":
      if (node.length > 0) return body.try(`${body.run("AppendFixedASCII")}(b, ${x}, ${node.length})`, path);
      return body.try(`${body.run("AppendASCII")}(b, ${x})`, path);
    case "ref":
      if (shared.isRefPointer(node)) body.block(`if ${x} == nil`, () => body.fail("ERR_UNSUPPORTED_TYPE", path));
      return writeStruct(body, node.struct, x, path, level);
    case "union": {
      const depth = shared.plan.typeIsDeep(node) ? `, ${depthAt(level + 1)}` : "";
      return body.try(`encode${shared.names.named(node).name}(b, ${x}${depth})`, path);
    }
    case "array":
      return writeArray(body, node, x, path, level);
    case "map":
      return writeMap(body, node, x, path, level);
    case "nullable": // as a map's value: arrays have bits of their own
      body.add(`b = ${body.run("AppendFlag")}(b, ${x} != nil)`);
      body.block(`if ${x} != nil`, () => writeValue(body, node.value, pointed(node.value, x), path, level));
  }
}

/** A struct, by its method, or where it stands if it is small. */
function writeStruct(body: WriteBody, struct: Struct, x: string, path: Path, level: number): void {
  const { shared } = body;
  const { plan, names } = shared;
  if (shared.isSmall(struct)) {
    if (plan.isDeep(struct)) body.checkDepth(level + 1, path);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      writeValue(body, member.type, `${x}.${names.field(member)}`, path, level);
    }
    return;
  }
  const call = `${x}.encode(b${plan.isDeep(struct) ? `, ${depthAt(level + 1)}` : ""})`;
  if (plan.canFail(struct)) body.try(call, path);
  else body.add(`b = ${call}`);
}
