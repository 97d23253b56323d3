/**
 * Functions that read: for each struct and union one that reads it from a message at a position and answers the position
 * after it. They write every field, so that nothing is left of what a struct held before.
 *
 * The first error in the order of reading wins: a block that is longer than what is left is looked at item by item.
 */
import type { Member, Struct, UnionNode } from "../../model/model.js";
import { type BlockItem, fixedParts } from "./block.js";
import { parametersOf, ReadBody } from "./read-body.js";
import { readPointed, readStruct, readValue } from "./read-values.js";
import type { Shared } from "./shared.js";
import { numberCode } from "./store.js";
import type { Lines } from "./text.js";
import { absenceOf, isPointer, zeroOf } from "./types.js";

/** Writes the readers. */
export class ReadEmitter {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** `func (v *T) decode(b []byte, i int) (int, *Error)`, with what the struct needs besides. */
  struct(struct: Struct): Lines {
    const { names, plan } = this.#shared;
    const self = this.#shared.receiver(struct);
    const body = new ReadBody(this.#shared, plan.isDeep(struct));
    body.checkDepth(0);
    readFields(body, struct);
    body.add("return i, nil");
    const parameters = parametersOf(plan.isDeep(struct), plan.hasCounts(struct));
    return body.close(
      `decode reads the fields of ${self} at i and answers where they end.`,
      `func (${self} *${names.struct(struct)}) decode(b []byte, ${parameters} int) (int, *${body.run("Error")})`,
    );
  }

  /** What a call of a struct's `decode` passes besides the message and the position. */
  rootArguments(struct: Struct): string {
    const { plan } = this.#shared;
    return `${plan.isDeep(struct) ? ", 1" : ""}${plan.hasCounts(struct) ? ", 0" : ""}`;
  }

  /** `func decodeShape(b []byte, i int) (Shape, int, *Error)`. */
  union(node: UnionNode): Lines {
    const { names, plan } = this.#shared;
    const { name, parts } = names.named(node);
    const body = new ReadBody(this.#shared, plan.typeIsDeep(node), "nil, ");
    body.checkDepth(0);
    const last = node.arms.length - 1;
    if (last > 0) body.add("var place uint32");
    body.try(last > 0 ? "place" : "_", `${body.run("Place")}(b, i, ${node.arms.length})`);
    const readArm = (at: number) => {
      body.add(`arm := ${this.#shared.make(parts[at]!)}`);
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
    const parameters = parametersOf(plan.typeIsDeep(node), plan.typeHasCounts(node));
    return body.close(
      `decode${name} reads an arm's place and fields.`,
      `func decode${name}(b []byte, ${parameters} int) (${name}, int, *${body.run("Error")})`,
    );
  }
}

/** The fields of a struct, in the order of the layout. */
function readFields(body: ReadBody, struct: Struct): void {
  const { shared } = body;
  const x = (member: Member) => `${shared.receiver(struct)}.${shared.names.field(member)}`;
  const bits = struct.optionals.length + struct.bools.length;
  let store = "";
  for (const [at, part] of fixedParts(struct, shared).entries()) {
    if ("member" in part) readField(body, part.member, x(part.member));
    else if ("levels" in part) body.checkDepth(part.levels);
    else store = readBlock(body, at === 0 ? bits : 0, part.items) || store;
  }
  const bit = (place: number) => `${bits <= 8 ? "bits" : `${store}[${place >> 3}]`}&${1 << (place & 7)} != 0`;
  for (const [at, member] of struct.bools.entries()) {
    body.add(`${x(member)} = ${shared.owned(member.type, bit(struct.optionals.length + at))}`);
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

/** A block, behind a store of so many bits; answers the variable that the store is in. */
function readBlock(body: ReadBody, bits: number, items: readonly BlockItem[]): string {
  const { shared } = body;
  const storeBytes = Math.ceil(bits / 8);
  const size = storeBytes + items.reduce((sum, item) => sum + item.size, 0);
  if (size === 0) return "";
  const sizes = items.map((item) => item.size);
  body.block(size === 1 ? "if i >= len(b)" : `if len(b)-i < ${size}`, () =>
    body.fail(`${body.run("CutShort")}(${["b", "i", bits, ...sizes].join(", ")})`),
  );
  const p = body.fresh("p");
  body.add(`${p} := (*[${size}]byte)(b[i:])`);
  if (bits > 0) {
    const isSmall = bits <= 8;
    if (isSmall) body.add(`bits := ${p}[0]`);
    const last = isSmall ? "bits" : `${p}[${storeBytes - 1}]`;
    if (bits % 8 !== 0) {
      body.block(`if ${last}>>${bits % 8} != 0`, () => body.fail(`${body.run("Fail")}("ERR_INVALID_PADDING", i)`));
    }
  }
  let at = storeBytes;
  for (const { type, x, size } of items) {
    if (type.kind === "bytes") body.add(`${x} = [${size}]byte(${p}[${at}:${at + size}])`);
    else
      body.add(`${x} = ${shared.owned(type, numberCode(shared, type, size === 1 ? `${p}[${at}]` : `${p}[${at}:]`))}`);
    at += size;
  }
  body.add(size === 1 ? "i++" : `i += ${size}`);
  return bits > 0 ? p : "";
}

/** A field that is present. One with a value that means absent is refused. */
function readOptional(body: ReadBody, member: Member, x: string): void {
  if (absenceOf(member) === "nil") {
    readField(body, member, x);
    return;
  }
  const at = body.fresh("at");
  body.add(`${at} := i`);
  readField(body, member, x);
  const isThere = body.shared.presence(member, x);
  const isAbsent = isThere.startsWith("len(") ? isThere.replace(" > ", " == ") : isThere.replace(" != ", " == ");
  body.block(`if ${isAbsent}`, () => body.fail(`${body.run("Fail")}("ERR_NOT_CANONICAL", ${at})`));
}

function readField(body: ReadBody, member: Member, x: string): void {
  if (isPointer(member)) readPointed(body, member.type, x, 0);
  else readValue(body, member.type, x, 0);
}
