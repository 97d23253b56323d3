/** Declarations: types of structs with their methods, enumerations, unions. */
import type { Node, Struct, UnionNode } from "../../model/model.js";
import type { ReadEmitter } from "./read.js";
import type { Shared } from "./shared.js";
import { aligned, commentOf, goString, Lines } from "./text.js";
import { isPointer } from "./types.js";

/** `type T struct`. */
export function structType(struct: Struct, shared: Shared): Lines {
  const lines = new Lines();
  const name = shared.names.struct(struct);
  lines.add(...commentOf(name, struct.doc, "is a struct of the schema."));
  if (struct.members.length === 0) {
    lines.add(`type ${name} struct{}`);
    return lines;
  }
  const rows: ([string, string] | string)[] = [];
  for (const member of struct.members) {
    const field = shared.names.field(member);
    const doc = commentOf("", member.doc, "");
    if (doc.length > 0 && rows.length > 0) rows.push("");
    rows.push(...doc, [field, `${isPointer(member) ? "*" : ""}${shared.type(member.type)}`]);
  }
  lines.block(`type ${name} struct`, () => lines.add(...aligned(rows)));
  return lines;
}

/** The public methods of a struct. */
export function structMethods(struct: Struct, shared: Shared, reader: ReadEmitter): Lines {
  const lines = appendMethods(struct, shared);
  lines.add("");
  lines.take(sizeMethod(struct, shared));
  lines.add("");
  lines.take(unmarshalMethod(struct, shared, reader));
  return lines;
}

/** `AppendTo` and `MarshalBinary`. */
export function appendMethods(struct: Struct, shared: Shared): Lines {
  const { plan, names } = shared;
  const self = shared.receiver(struct);
  const receiver = `(${self} *${names.struct(struct)})`;
  const isDeep = plan.isDeep(struct);
  const lines = new Lines();
  lines.add(`// AppendTo appends the bytes of ${self}. On an error it answers b as it was.`);
  lines.block(`func ${receiver} AppendTo(b []byte) ([]byte, error)`, () => {
    lines.block(`if ${self} == nil`, () => lines.add(`return b, ${shared.run("Refuse")}("ERR_UNSUPPORTED_TYPE", "$")`));
    if (!plan.canFail(struct)) {
      lines.add(`return ${self}.encode(b), nil`);
      return;
    }
    lines.add(`out, err := ${self}.encode(b${isDeep ? ", 1" : ""})`);
    lines.block("if err != nil", () => lines.add('return b, err.In("$")'));
    lines.add("return out, nil");
  });
  lines.add("", `// MarshalBinary answers the bytes of ${self}.`);
  lines.block(`func ${receiver} MarshalBinary() ([]byte, error)`, () =>
    lines.add(`return ${self}.AppendTo(${isDeep ? "nil" : `make([]byte, 0, ${self}.Size())`})`),
  );
  return lines;
}

/** `Size`. */
export function sizeMethod(struct: Struct, shared: Shared): Lines {
  const self = shared.receiver(struct);
  const isDeep = shared.plan.isDeep(struct);
  const lines = new Lines();
  const tooDeep = "; 0 where it is nested too deeply to be written";
  lines.add(`// Size is how many bytes ${self} takes${isDeep ? tooDeep : ""}.`);
  lines.block(`func (${self} *${shared.names.struct(struct)}) Size() int`, () => {
    lines.block(`if ${self} == nil`, () => lines.add("return 0"));
    lines.add(isDeep ? `return max(0, ${self}.size(1))` : `return ${self}.size()`);
  });
  return lines;
}

/** What reads into a pointer refuses one that is nil. */
export function nilRefused(self: string, shared: Shared): Lines {
  const lines = new Lines();
  lines.block(`if ${self} == nil`, () => lines.add(`return ${shared.run("Refuse")}("ERR_INVALID_ARGUMENT", "$")`));
  return lines;
}

/** `UnmarshalBinary`. */
export function unmarshalMethod(struct: Struct, shared: Shared, reader: ReadEmitter): Lines {
  const name = shared.names.struct(struct);
  const self = shared.receiver(struct);
  const lines = new Lines();
  lines.add(
    `// UnmarshalBinary reads ${self} from the bytes of a whole message. Nothing is left of what ${self} held; after an error it is empty.`,
  );
  lines.block(`func (${self} *${name}) UnmarshalBinary(b []byte) error`, () => {
    lines.take(nilRefused(self, shared));
    lines.add(`end, err := ${self}.decode(b, 0${reader.rootArguments(struct)})`);
    lines.block("if err == nil && end != len(b)", () =>
      lines.add(`err = ${shared.run("Fail")}("ERR_TRAILING_BYTES", end)`),
    );
    lines.block("if err != nil", () => lines.add(`*${self} = ${name}{}`, "return err"));
    lines.add("return nil");
  });
  return lines;
}

/** An enumeration: its type, constants and `String`. */
export function enumerationType(node: Node & { readonly kind: "enumeration" }, shared: Shared): Lines {
  const { name, parts } = shared.names.named(node);
  const table = `names${name}`;
  const lines = new Lines();
  lines.add(`// ${name} is one of a few names.`, `type ${name} uint32`, "");
  lines.add(`// The values of ${name}.`, "const (");
  lines.indent(() => lines.add(...parts.map((part, i) => (i === 0 ? `${part} ${name} = iota` : part))));
  lines.add(")", "", `var ${table} = [...]string{`);
  lines.indent(() => lines.add(...node.values.map((value) => `${goString(value)},`)));
  lines.add("}", "", "// String is the name in the schema.");
  lines.block(`func (e ${name}) String() string`, () => {
    lines.block(`if int(e) < len(${table})`, () => lines.add(`return ${table}[e]`));
    lines.add(`return "${name}(" + ${shared.use("strconv", "FormatUint")}(uint64(e), 10) + ")"`);
  });
  return lines;
}

/** A union: the interface and a wrapper for each arm. */
export function unionType(node: UnionNode, shared: Shared): Lines {
  const { names } = shared;
  const { name, parts } = names.named(node);
  const lines = new Lines();
  lines.add(`// ${name} is one of ${parts.map((part) => `*${part}`).join(", ")}.`);
  lines.block(`type ${name} interface`, () => lines.add(`is${name}()`));
  for (const [i, { name: arm, struct }] of node.arms.entries()) {
    lines.add("", `// ${parts[i]!} is the arm ${goString(arm)} of ${name}.`);
    lines.block(`type ${parts[i]!} struct`, () => lines.add(`Value ${names.struct(struct)}`));
    lines.add("", `func (*${parts[i]!}) is${name}() {}`);
  }
  return lines;
}
