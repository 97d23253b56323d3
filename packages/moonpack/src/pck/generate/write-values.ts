/** Source text that writes values of each type where room has not been made yet: by functions over the writer. */

import { isNumber, isObjectMap } from "../codec/presence.js";
import type { Node } from "../model/model.js";
import type { Code } from "./code.js";
import { LIST_WRITERS, type Module, WRITERS } from "./module.js";
import type { Names } from "./names.js";
import { type Bounded, boundedPut } from "./put.js";

/** So many elements at most have room made for them at once: a list may be longer than what it has elements for. */
const CHUNK = 1024;

/** Where text for a value goes. */
export interface Place {
  readonly module: Module;
  readonly code: Code;
  readonly names: Names;
  /** Has the function a `depth`, which is that of its struct? */
  readonly isDeep: boolean;
  /** What names are made from: the struct's and the field's. */
  readonly owner: string;
}

/** The depth of what lies so many levels below the struct, as another argument; "" where nobody counts. */
export function depthArgument(place: Place, levels: number): string {
  return place.isDeep ? `, depth + ${levels}` : "";
}

/** Writes `value`, an expression that is evaluated once. `level`: containers of this field around it. */
export function writeValue(place: Place, node: Node, value: string, level: number): void {
  const { module, code, owner } = place;
  switch (node.kind) {
    case "bytes":
    case "ascii": {
      const write = module.use(node.kind === "bytes" ? "writeBinary" : "writeAsciiText");
      return code.line(`${write}(w, ${value}${node.length === 0 ? "" : `, ${node.length}`});`);
    }
    case "enumeration":
      return code.line(`${module.use("writeIndex")}(w, ${value}, ${module.placesOf(node.values, owner)});`);
    case "ref": {
      const depth = module.facts.isDeep(node.struct) ? depthArgument(place, level + 1) : "";
      return code.line(`${module.writeCall(node.struct, value, depth)};`);
    }
    case "union": {
      const write = module.unionFunction("write", node, owner);
      const isDeep = node.arms.some((arm) => module.facts.isDeep(arm.struct));
      return code.line(`${write}(w, ${value}${isDeep ? depthArgument(place, level + 1) : ""});`);
    }
    case "array":
      return writeArray(place, node, value, level);
    case "map":
      return writeMap(place, node, value, level);
    case "nullable": {
      const item = place.names.of("item");
      code.line(`const ${item} = ${value};`);
      code.open(`if (${item} === null || ${item} === undefined) {`);
      code.line(`${module.use("writeFlag")}(w, false);`);
      code.turn("} else {");
      code.line(`${module.use("writeFlag")}(w, true);`);
      writeValue(place, node.value, item, level);
      return code.close();
    }
    default:
      return code.line(`${module.use(WRITERS.get(node.kind)!)}(w, ${value});`);
  }
}

/** Looks at the depth of a container that lies so many levels below the struct. */
function checkNesting({ module, code, isDeep }: Place, levels: number): void {
  if (isDeep) code.line(`${module.use("checkNesting")}(w, depth + ${levels});`);
}

function writeArray(place: Place, node: Node & { readonly kind: "array" }, value: string, level: number): void {
  const { module, code, names } = place;
  const { element, length } = node;
  const list = names.of("list");
  code.line(`const ${list} = ${module.use(isNumber(element) ? "numbersOf" : "listOf")}(${value});`);
  checkNesting(place, level + 1);
  if (length > 0) code.line(`${module.use("expectLength")}(${list}.length, ${length});`);
  if (element.kind === "bool") {
    if (length === 0) code.line(`${module.use("writeUvar")}(w, ${list}.length);`);
    return code.line(`${module.use("writeBools")}(w, ${list});`);
  }
  let count = String(length);
  if (length === 0) {
    count = names.of("count");
    code.line(`const ${count} = ${list}.length;`, `${module.use("writeUvar")}(w, ${count});`);
  }
  const write = LIST_WRITERS.get(element.kind);
  if (write !== undefined) return code.line(`${module.use(write)}(w, ${list}, ${count});`);
  const i = names.of("i");
  const bits = element.kind === "nullable" ? names.of("bits") : "";
  if (bits !== "") code.line(`const ${bits} = ${module.use("openBits")}(w, ${count});`);
  code.line(`let ${i} = 0;`);
  code.open("try {");
  const bounded =
    element.kind === "ref" ? null : boundedPut(module, element, `${list}[${i}]${module.typed("!")}`, place.owner);
  if (bounded !== null) writeChunks(place, bounded, i, count);
  else {
    code.open(`for (; ${i} < ${count}; ${i}++) {`);
    if (element.kind === "nullable") {
      const item = names.of("item");
      code.line(`const ${item} = ${list}[${i}];`);
      code.line(`if (${item} === null || ${item} === undefined) continue;`);
      code.line(`${module.use("setBit")}(w, ${bits}, ${i});`);
      writeValue(place, element.value, item, level + 1);
    } else writeValue(place, element, `${list}[${i}]${module.typed("!")}`, level + 1);
    code.close();
  }
  code.turn("} catch (error) {");
  code.line(`throw ${module.use("within")}(error, \`[\${${i}}]\`);`);
  code.close();
}

/** Elements of few bytes each, with room made for many at once. */
function writeChunks({ code, names }: Place, { bytes, isView, lines }: Bounded, i: string, count: string): void {
  const stop = names.of("stop");
  const [b, p] = [names.of("b"), names.of("p")];
  code.open(`while (${i} < ${count}) {`);
  code.line(`const ${stop} = Math.min(${count}, ${i} + ${CHUNK});`);
  code.line(`w.reserve((${stop} - ${i}) * ${bytes});`);
  code.line(`const ${b} = w.${isView ? "view" : "bytes"};`);
  code.line(`let ${p} = w.pos;`);
  code.open(`for (; ${i} < ${stop}; ${i}++) {`);
  code.line(...lines(b, p));
  code.close();
  code.line(`w.pos = ${p};`);
  code.close();
}

function writeMap(place: Place, node: Node & { readonly kind: "map" }, value: string, level: number): void {
  const { module, code, names } = place;
  const entries = names.of("entries");
  const given = `${module.use(isObjectMap(node, module.target) ? "recordEntriesOf" : "entriesOf")}(${value})`;
  const { kind } = node.key;
  if (kind === "enumeration") {
    code.line(
      `const ${entries} = ${module.use("byPlace")}(${given}, ${module.placesOf(node.key.values, `${place.owner}Key`)});`,
    );
  } else {
    const sorted = module.use(kind === "utf8" || kind === "ascii" ? "byText" : "byNumber");
    code.line(`const ${entries} = ${sorted}(${given});`);
  }
  checkNesting(place, level + 1);
  code.line(`${module.use("writeUvar")}(w, ${entries}.length);`);
  const [key, item] = [names.of("key"), names.of("item")];
  code.open(`for (const [${key}, ${item}] of ${entries}) {`);
  code.open("try {");
  writeValue({ ...place, owner: `${place.owner}Key` }, node.key, key, level + 1);
  writeValue(place, node.value, item, level + 1);
  code.turn("} catch (error) {");
  code.line(`throw ${module.use("within")}(error, ${module.use("keyStep")}(${key}));`);
  code.close();
  code.close();
}
