/** Functions that write: each appends the bytes of a struct or union to a slice. */
import { pathStep } from "moonpack/bytes";
import type { Member, Node, Struct, UnionNode } from "../../model/model.js";
import type { GoContext } from "./context.js";
import { type BlockItem, fixedParts } from "./fixed-section.js";
import { byteCode, storeCode } from "./fixed-width.js";
import { Lines } from "./text.js";
import { hasPlainType, isPointer, PLAIN_TYPES, pointed } from "./types.js";
import { WriteBody } from "./write-body.js";
import { writeValue } from "./write-values.js";

/** Emits the functions that write. */
export class WriteEmitter {
  readonly #context: GoContext;

  constructor(context: GoContext) {
    this.#context = context;
  }

  /** `func (v *T) encode(b []byte) []byte`, with an error and a depth if the struct needs them. */
  struct(struct: Struct): Lines {
    const { names, needs } = this.#context;
    const self = this.#context.receiver(struct);
    const isDeep = needs.isDeep(struct);
    const canFail = needs.canFail(struct);
    const body = new WriteBody(this.#context, isDeep);
    body.checkDepth(0, []);
    writeFields(body, struct);
    body.add(canFail ? "return b, nil" : "return b");
    const results = canFail ? `([]byte, *${body.runtime("Error")})` : "[]byte";
    const lines = body.close(
      `encode appends the fields of ${self}.`,
      `func (${self} *${names.struct(struct)}) encode(b []byte${isDeep ? ", depth int" : ""}) ${results}`,
    );
    lines.append(typeChecks(struct, this.#context));
    return lines;
  }

  /** `func encodeShape(b []byte, x Shape) ([]byte, *Error)`. */
  union(node: UnionNode): Lines {
    const { names, needs } = this.#context;
    const { name, parts } = names.named(node);
    const isDeep = needs.typeIsDeep(node);
    const body = new WriteBody(this.#context, isDeep);
    body.checkDepth(0, []);
    body.add("switch arm := x.(type) {");
    for (const [place, { struct }] of node.arms.entries()) {
      body.add(`case *${parts[place]!}:`);
      body.lines.indent(() =>
        body.block("if arm != nil", () => {
          body.add(`b = ${body.runtime("AppendUvar")}(b, ${place})`);
          const call = `arm.Value.encode(b${needs.isDeep(struct) ? ", depth" : ""})`;
          body.add(needs.canFail(struct) ? `return ${call}` : `return ${call}, nil`);
        }),
      );
    }
    body.add("}");
    body.fail("ERR_UNSUPPORTED_TYPE", []);
    return body.close(
      `encode${name} appends an arm's index and fields.`,
      `func encode${name}(b []byte, x ${name}${isDeep ? ", depth int" : ""}) ([]byte, *${body.runtime("Error")})`,
    );
  }
}

/** Writes the fields of a struct, in the order of the layout. */
function writeFields(body: WriteBody, struct: Struct): void {
  const { context } = body;
  const x = (member: Member) => `${context.receiver(struct)}.${context.names.field(member)}`;
  const count = struct.optionals.length + struct.bools.length;
  const isSmall = count <= 8;
  const bit = (place: number) => `${isSmall ? "bits" : `bits[${place >> 3}]`}`;
  if (count > 0) body.add(isSmall ? "var bits byte" : `var bits [${struct.storeBytes}]byte`);
  for (const [place, member] of [...struct.optionals, ...struct.bools].entries()) {
    const isThere = member.isOptional ? context.presence(member, x(member)) : context.plain(member.type, x(member));
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

/**
 * Writes the bit store and the fixed section in as few blocks as possible. The order of errors does not matter here.
 */
function writeFixed(body: WriteBody, struct: Struct, store: readonly string[]): void {
  const { context } = body;
  let items: BlockItem[] = [];
  let before = store;
  const flush = () => {
    writeBlock(body, before, items);
    before = [];
    items = [];
  };
  for (const part of fixedParts(struct, context)) {
    if ("items" in part) items.push(...part.items);
    else if ("levels" in part) body.checkDepth(part.levels, part.path);
    else {
      flush();
      writeField(body, part.member, `${context.receiver(struct)}.${context.names.field(part.member)}`);
    }
  }
  flush();
}

function writeField(body: WriteBody, member: Member, x: string): void {
  writeValue(body, member.type, isPointer(member) ? pointed(member.type, x) : x, [pathStep(member.name)], 0);
}

/** Writes a block: one append of single bytes, or an extension of the slice that is then filled. */
function writeBlock(body: WriteBody, store: readonly string[], items: readonly BlockItem[]): void {
  const { context } = body;
  const size = store.length + items.reduce((sum, item) => sum + item.size, 0);
  if (size === 0) return;
  if (items.every(({ type }) => type.kind === "u8" || type.kind === "i8")) {
    const values = [...store, ...items.map(({ type, x }) => byteCode(type, context.plain(type, x)))];
    body.add(`b = append(b, ${values.join(", ")})`);
    return;
  }
  const [only] = items;
  if (size === only?.size) {
    writeValue(body, only.type, only.x, [], 0);
    return;
  }
  const p = body.newName("p");
  body.add(
    `b = ${body.runtime("Extend")}(b, ${size})`,
    `${p} := (*[${size}]byte)(b[len(b)-${size}:])`,
    ...store.map((value, k) => `${p}[${k}] = ${value}`),
  );
  let at = store.length;
  for (const { type, x, size } of items) {
    if (type.kind === "bytes") body.add(`copy(${p}[${at}:], ${x}[:])`);
    else body.add(storeCode(context, type, p, at, context.plain(type, x)));
    at += size;
  }
}

/**
 * Declarations that do not compile if the caller's type has another underlying type: a conversion would lose values.
 */
function typeChecks(struct: Struct, context: GoContext): Lines {
  const checks = new Set<string>();
  const visit = (node: Node): void => {
    const own = context.ownType(node);
    if (hasPlainType(node.kind) && own !== undefined) checks.add(`_ = (*${PLAIN_TYPES[node.kind]})((*${own})(nil))`);
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
  lines.add("", "// The chosen types have the underlying types that the schema requires.");
  const [only] = checks;
  if (checks.size === 1) lines.add(`var ${only}`);
  else {
    lines.add("var (");
    lines.indent(() => lines.add(...checks));
    lines.add(")");
  }
  return lines;
}
