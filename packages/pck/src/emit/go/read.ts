/**
 * Functions that read: each reads a struct or union from a message at a position and returns the position after it.
 * They write every field, so a struct keeps none of its old data.
 *
 * The first error in the order of reading is returned: if a block is longer than the bytes left, its items are
 * checked one by one.
 */
import type { Member, Struct, UnionNode } from "../../model/model.js";
import type { GoContext } from "./context.js";
import { type BlockItem, fixedParts } from "./fixed-section.js";
import { numberCode } from "./fixed-width.js";
import { parametersOf, ReadBody } from "./read-body.js";
import { readPointed, readStruct, readValue } from "./read-values.js";
import type { Lines } from "./text.js";
import { absentFormOf, isPointer, zeroOf } from "./types.js";

/** Emits the functions that read. */
export class ReadEmitter {
  readonly #context: GoContext;

  constructor(context: GoContext) {
    this.#context = context;
  }

  /** `func (v *T) decode(b []byte, i int) (int, *Error)`, with more parameters if the struct needs them. */
  struct(struct: Struct): Lines {
    const { names, needs } = this.#context;
    const self = this.#context.receiver(struct);
    const body = new ReadBody(this.#context, needs.isDeep(struct));
    body.checkDepth(0);
    readFields(body, struct);
    body.add("return i, nil");
    const parameters = parametersOf(this.#context.structNeeds(struct));
    return body.close(
      `decode reads the fields of ${self} at i and returns their end.`,
      `func (${self} *${names.struct(struct)}) decode(${parameters}) (int, *${body.runtime("Error")})`,
    );
  }

  /** `func decodeShape(b []byte, i int) (Shape, int, *Error)`. */
  union(node: UnionNode): Lines {
    const { names, needs } = this.#context;
    const { name, parts } = names.named(node);
    const body = new ReadBody(this.#context, needs.typeIsDeep(node), "nil, ");
    body.checkDepth(0);
    const last = node.arms.length - 1;
    if (last > 0) body.add("var place uint32");
    body.try(last > 0 ? "place" : "_", `${body.runtime("NameIndex")}(b, i, ${node.arms.length})`);
    const readArm = (at: number) => {
      body.takeMemory(this.#context.memory.countedArm(node.arms[at]!.struct));
      body.add(`arm := ${this.#context.make(parts[at]!)}`);
      readStruct(body, node.arms[at]!.struct, "arm.Value", -1);
      body.add("return arm, i, nil");
    };
    if (last > 0) {
      body.add("switch place {");
      for (let at = 0; at < last; at++) {
        body.add(`case ${at}:`);
        body.lines.indent(() => readArm(at));
      }
      body.add("}");
    }
    readArm(last);
    const parameters = parametersOf(this.#context.unionNeeds(node));
    return body.close(
      `decode${name} reads an arm's index and fields.`,
      `func decode${name}(${parameters}) (${name}, int, *${body.runtime("Error")})`,
    );
  }
}

/** Reads the fields of a struct, in the order of the layout. */
function readFields(body: ReadBody, struct: Struct): void {
  const { context } = body;
  const x = (member: Member) => `${context.receiver(struct)}.${context.names.field(member)}`;
  const bits = struct.optionals.length + struct.bools.length;
  let store = "";
  for (const [at, part] of fixedParts(struct, context).entries()) {
    if ("member" in part) readField(body, part.member, x(part.member));
    else if ("levels" in part) body.checkDepth(part.levels);
    else store = readBlock(body, at === 0 ? bits : 0, part.items) || store;
  }
  const bit = (place: number) => `${bits <= 8 ? "bits" : `${store}[${place >> 3}]`}&${1 << (place & 7)} != 0`;
  for (const [at, member] of struct.bools.entries()) {
    body.add(`${x(member)} = ${context.owned(member.type, bit(struct.optionals.length + at))}`);
  }
  for (const member of struct.dynamic) readField(body, member, x(member));
  for (const [place, member] of struct.optionals.entries()) {
    body.lines.either(
      `if ${bit(place)}`,
      () => readOptional(body, member, x(member)),
      () => body.add(`${x(member)} = ${zeroOf(member)}`),
    );
  }
}

/** Reads a block and the bit store before it. `bits`: the number of its bits. Returns the variable that holds the store. */
function readBlock(body: ReadBody, bits: number, items: readonly BlockItem[]): string {
  const { context } = body;
  const storeBytes = Math.ceil(bits / 8);
  const size = storeBytes + items.reduce((sum, item) => sum + item.size, 0);
  if (size === 0) return "";
  const sizes = items.map((item) => item.size);
  body.block(size === 1 ? "if i >= len(b)" : `if len(b)-i < ${size}`, () =>
    body.fail(`${body.runtime("BlockError")}(${["b", "i", bits, ...sizes].join(", ")})`),
  );
  const p = body.newName("p");
  body.add(`${p} := (*[${size}]byte)(b[i:])`);
  if (bits > 0) {
    const isSmall = bits <= 8;
    if (isSmall) body.add(`bits := ${p}[0]`);
    const last = isSmall ? "bits" : `${p}[${storeBytes - 1}]`;
    if (bits % 8 !== 0) {
      body.block(`if ${last}>>${bits % 8} != 0`, () =>
        body.fail(`${body.runtime("ReadError")}("ERR_INVALID_PADDING", i)`),
      );
    }
  }
  let at = storeBytes;
  for (const { type, x, size } of items) {
    if (type.kind === "bytes") body.add(`${x} = [${size}]byte(${p}[${at}:${at + size}])`);
    else
      body.add(`${x} = ${context.owned(type, numberCode(context, type, size === 1 ? `${p}[${at}]` : `${p}[${at}:]`))}`);
    at += size;
  }
  body.add(size === 1 ? "i++" : `i += ${size}`);
  return bits > 0 ? p : "";
}

/** Reads a field that is present. A value that means absent is an error. */
function readOptional(body: ReadBody, member: Member, x: string): void {
  if (absentFormOf(member) === "nil") {
    readField(body, member, x);
    return;
  }
  const at = body.newName("at");
  body.add(`${at} := i`);
  readField(body, member, x);
  const isThere = body.context.presence(member, x);
  const isAbsent = isThere.startsWith("len(") ? isThere.replace(" > ", " == ") : isThere.replace(" != ", " == ");
  body.block(`if ${isAbsent}`, () => body.fail(`${body.runtime("ReadError")}("ERR_NOT_CANONICAL", ${at})`));
}

function readField(body: ReadBody, member: Member, x: string): void {
  if (isPointer(member)) readPointed(body, member.type, x, 0);
  else readValue(body, member.type, x, 0);
}
