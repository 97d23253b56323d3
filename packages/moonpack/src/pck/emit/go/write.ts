/** Functions that write: for each struct and union one that appends a value's bytes to a slice. */
import { pathStep } from "../../../bytes/errors.js";
import type { Member, Node, Struct, UnionNode } from "../../model/model.js";
import { type BlockItem, fixedParts } from "./block.js";
import type { Shared } from "./shared.js";
import { byteCode, storeCode } from "./store.js";
import { Lines } from "./text.js";
import { isPlain, isPointer, PLAIN_TYPES, pointed } from "./types.js";
import { WriteBody } from "./write-body.js";
import { writeValue } from "./write-values.js";

/** Writes the writers. */
export class WriteEmitter {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** `func (v *T) encode(b []byte) []byte`, with an error and a depth where the struct needs them. */
  struct(struct: Struct): Lines {
    const { names, plan } = this.#shared;
    const self = this.#shared.receiver(struct);
    const isDeep = plan.isDeep(struct);
    const canFail = plan.canFail(struct);
    const body = new WriteBody(this.#shared, isDeep);
    body.checkDepth(0, []);
    writeFields(body, struct);
    body.add(canFail ? "return b, nil" : "return b");
    const results = canFail ? `([]byte, *${body.run("Error")})` : "[]byte";
    const lines = body.close(
      `encode appends the fields of ${self}.`,
      `func (${self} *${names.struct(struct)}) encode(b []byte${isDeep ? ", depth int" : ""}) ${results}`,
    );
    lines.take(chosenTypes(struct, this.#shared));
    return lines;
  }

  /** `func encodeShape(b []byte, x Shape) ([]byte, *Error)`. */
  union(node: UnionNode): Lines {
    const { names, plan } = this.#shared;
    const { name, parts } = names.named(node);
    const isDeep = plan.typeIsDeep(node);
    const body = new WriteBody(this.#shared, isDeep);
    body.checkDepth(0, []);
    body.add("switch arm := x.(type) {");
    for (const [place, { struct }] of node.arms.entries()) {
      body.add(`case *${parts[place]!}:`);
      body.lines.indent(() =>
        body.block("if arm != nil", () => {
          body.add(`b = ${body.run("AppendUvar")}(b, ${place})`);
          const call = `arm.Value.encode(b${plan.isDeep(struct) ? ", depth" : ""})`;
          body.add(plan.canFail(struct) ? `return ${call}` : `return ${call}, nil`);
        }),
      );
    }
    body.add("}");
    body.fail("ERR_UNSUPPORTED_TYPE", []);
    return body.close(
      `encode${name} appends an arm's place and fields.`,
      `func encode${name}(b []byte, x ${name}${isDeep ? ", depth int" : ""}) ([]byte, *${body.run("Error")})`,
    );
  }
}

/** The fields of a struct, in the order of the layout. */
function writeFields(body: WriteBody, struct: Struct): void {
  const { shared } = body;
  const x = (member: Member) => `${shared.receiver(struct)}.${shared.names.field(member)}`;
  const count = struct.optionals.length + struct.bools.length;
  const isSmall = count <= 8;
  const bit = (place: number) => `${isSmall ? "bits" : `bits[${place >> 3}]`}`;
  if (count > 0) body.add(isSmall ? "var bits byte" : `var bits [${struct.storeBytes}]byte`);
  for (const [place, member] of [...struct.optionals, ...struct.bools].entries()) {
    const isThere = member.isOptional ? shared.presence(member, x(member)) : shared.plain(member.type, x(member));
    body.block(`if ${isThere}`, () => body.add(`${bit(place)} |= ${1 << (place & 7)}`));
  }
  writeFixed(
    body,
    struct,
    Array.from({ length: struct.storeBytes }, (_, k) => (isSmall ? "bits" : `bits[${k}]`)),
  );
  for (const member of struct.dynamic) writeField(body, member, x(member));
  for (const [place, member] of struct.optionals.entries()) {
    body.block(`if ${bit(place)}&${1 << (place & 7)} != 0`, () => writeField(body, member, x(member)));
  }
}

/** The bit store and the fixed section, in as few blocks as can be: which error comes first does not matter here. */
function writeFixed(body: WriteBody, struct: Struct, store: readonly string[]): void {
  const { shared } = body;
  let items: BlockItem[] = [];
  let before = store;
  const flush = () => {
    writeBlock(body, before, items);
    before = [];
    items = [];
  };
  for (const part of fixedParts(struct, shared)) {
    if ("items" in part) items.push(...part.items);
    else if ("levels" in part) body.checkDepth(part.levels, part.path);
    else {
      flush();
      writeField(body, part.member, `${shared.receiver(struct)}.${shared.names.field(part.member)}`);
    }
  }
  flush();
}

function writeField(body: WriteBody, member: Member, x: string): void {
  writeValue(body, member.type, isPointer(member) ? pointed(member.type, x) : x, [pathStep(member.name)], 0);
}

/** A block: one append of single bytes, or room for all that is then filled. */
function writeBlock(body: WriteBody, store: readonly string[], items: readonly BlockItem[]): void {
  const { shared } = body;
  const size = store.length + items.reduce((sum, item) => sum + item.size, 0);
  if (size === 0) return;
  if (items.every(({ type }) => type.kind === "u8" || type.kind === "i8")) {
    const values = [...store, ...items.map(({ type, x }) => byteCode(type, shared.plain(type, x)))];
    body.add(`b = append(b, ${values.join(", ")})`);
    return;
  }
  const [only] = items;
  if (size === only?.size) {
    writeValue(body, only.type, only.x, [], 0);
    return;
  }
  const p = body.fresh("p");
  body.add(
    `b = ${body.run("Extend")}(b, ${size})`,
    `${p} := (*[${size}]byte)(b[len(b)-${size}:])`,
    ...store.map((value, k) => `${p}[${k}] = ${value}`),
  );
  let at = store.length;
  for (const { type, x, size } of items) {
    if (type.kind === "bytes") body.add(`copy(${p}[${at}:], ${x}[:])`);
    else body.add(storeCode(shared, type, p, at, shared.plain(type, x)));
    at += size;
  }
}

/** Lines that do not compile where a chosen type is not of the kind that the schema says: conversions would lose values. */
function chosenTypes(struct: Struct, shared: Shared): Lines {
  const checks = new Set<string>();
  const visit = (node: Node): void => {
    const own = shared.ownType(node);
    if (isPlain(node.kind) && own !== undefined) checks.add(`_ = (*${PLAIN_TYPES[node.kind]})((*${own})(nil))`);
    if (node.kind === "array") visit(node.element);
    else if (node.kind === "nullable") visit(node.value);
    else if (node.kind === "map") {
      visit(node.key);
      visit(node.value);
    }
  };
  for (const { type } of struct.members) visit(type);
  const lines = new Lines();
  if (checks.size === 0) return lines;
  lines.add("", "// Types that were chosen are of the kinds that the schema says.");
  const [only] = checks;
  if (checks.size === 1) lines.add(`var ${only}`);
  else {
    lines.add("var (");
    lines.indent(() => lines.add(...checks));
    lines.add(")");
  }
  return lines;
}
