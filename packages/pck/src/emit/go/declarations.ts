/** Declarations: types of structs and their methods, enumerations, unions. */
import type { Node, Struct, UnionNode } from "../../model/model.js";
import type { GoContext } from "./context.js";
import type { Needs } from "./needs.js";
import { rootArguments } from "./read-body.js";
import { aligned, commentOf, goString, Lines } from "./text.js";
import { isPointer } from "./types.js";

/** Returns the type of a struct. */
export function structType(struct: Struct, context: GoContext): Lines {
  const lines = new Lines();
  const name = context.names.struct(struct);
  lines.add(...commentOf(name, struct.doc, "is a struct of the schema."));
  if (struct.members.length === 0) {
    lines.add(`type ${name} struct{}`);
    return lines;
  }
  const rows: ([string, string] | string)[] = [];
  for (const member of struct.members) {
    const field = context.names.field(member);
    const doc = commentOf("", member.doc, "");
    if (doc.length > 0 && rows.length > 0) rows.push("");
    rows.push(...doc, [field, `${isPointer(member) ? "*" : ""}${context.type(member.type)}`]);
  }
  lines.block(`type ${name} struct`, () => lines.add(...aligned(rows)));
  return lines;
}

/** Returns the public methods of a struct. */
export function structMethods(struct: Struct, context: GoContext): Lines {
  const lines = appendMethods(struct, context);
  lines.add("");
  lines.append(sizeMethod(struct, context));
  lines.add("");
  lines.append(unmarshalMethod(struct, context));
  return lines;
}

/** Returns the methods `AppendTo` and `MarshalBinary`. */
export function appendMethods(struct: Struct, context: GoContext): Lines {
  const { needs, names } = context;
  const self = context.receiver(struct);
  const receiver = `(${self} *${names.struct(struct)})`;
  const isDeep = needs.isDeep(struct);
  const lines = new Lines();
  lines.add(`// AppendTo appends the bytes of ${self}. On an error it returns b unchanged.`);
  lines.block(`func ${receiver} AppendTo(b []byte) ([]byte, error)`, () => {
    lines.block(`if ${self} == nil`, () =>
      lines.add(`return b, ${context.runtime("WriteError")}("ERR_UNSUPPORTED_TYPE", "$")`),
    );
    if (!needs.canFail(struct)) {
      lines.add(`return ${self}.encode(b), nil`);
      return;
    }
    lines.add(`out, err := ${self}.encode(b${isDeep ? ", 1" : ""})`);
    lines.block("if err != nil", () => lines.add('return b, err.In("$")'));
    lines.add("return out, nil");
  });
  lines.add("", `// MarshalBinary returns the bytes of ${self}.`);
  lines.block(`func ${receiver} MarshalBinary() ([]byte, error)`, () =>
    lines.add(`return ${self}.AppendTo(${isDeep ? "nil" : `make([]byte, 0, ${self}.Size())`})`),
  );
  return lines;
}

/** Returns the method `Size`. */
export function sizeMethod(struct: Struct, context: GoContext): Lines {
  const self = context.receiver(struct);
  const isDeep = context.needs.isDeep(struct);
  const lines = new Lines();
  const tooDeep = ", or 0 if it is nested too deeply to be written";
  lines.add(`// Size returns how many bytes ${self} takes${isDeep ? tooDeep : ""}.`);
  lines.block(`func (${self} *${context.names.struct(struct)}) Size() int`, () => {
    lines.block(`if ${self} == nil`, () => lines.add("return 0"));
    lines.add(isDeep ? `return max(0, ${self}.size(1))` : `return ${self}.size()`);
  });
  return lines;
}

/** Returns the statement that refuses a nil receiver. */
export function nilCheck(self: string, context: GoContext): Lines {
  const lines = new Lines();
  lines.block(`if ${self} == nil`, () =>
    lines.add(`return ${context.runtime("WriteError")}("ERR_INVALID_ARGUMENT", "$")`),
  );
  return lines;
}

/** Returns the method `UnmarshalBinary`. */
export function unmarshalMethod(struct: Struct, context: GoContext): Lines {
  const name = context.names.struct(struct);
  const self = context.receiver(struct);
  const lines = new Lines();
  lines.add(
    `// UnmarshalBinary reads ${self} from the bytes of a whole message. It overwrites every field; after an error ${self} is empty.`,
  );
  lines.block(`func (${self} *${name}) UnmarshalBinary(b []byte) error`, () => {
    lines.append(nilCheck(self, context));
    lines.append(readWholeMessage(struct, "decode", context.structNeeds(struct), context));
  });
  return lines;
}

/** Returns the statements that read a whole message by `method`, and set the struct to its zero value after an error. */
export function readWholeMessage(struct: Struct, method: string, needs: Needs, context: GoContext): Lines {
  return readMessageInto(context.receiver(struct), context.names.struct(struct), method, needs, context);
}

/** Returns the statements that read a whole message into `self`, which has the type `type`. */
export function readMessageInto(self: string, type: string, method: string, needs: Needs, context: GoContext): Lines {
  const lines = new Lines();
  if (needs.takesRoom) lines.add(context.room);
  lines.add(`end, err := ${self}.${method}(${rootArguments(needs)})`);
  lines.block("if err == nil && end != len(b)", () =>
    lines.add(`err = ${context.runtime("ReadError")}("ERR_TRAILING_BYTES", end)`),
  );
  lines.block("if err != nil", () => lines.add(`*${self} = ${type}{}`, "return err"));
  lines.add("return nil");
  return lines;
}

/** Returns an enumeration: type, constants and the method `String`. */
export function enumerationType(node: Node & { readonly kind: "enumeration" }, context: GoContext): Lines {
  const { name, parts } = context.names.named(node);
  const table = `names${name}`;
  const lines = new Lines();
  lines.add(`// ${name} is an enumeration of the schema.`, `type ${name} uint32`, "");
  lines.add(`// The values of ${name}.`, "const (");
  lines.indent(() => lines.add(...parts.map((part, i) => (i === 0 ? `${part} ${name} = iota` : part))));
  lines.add(")", "", `var ${table} = [...]string{`);
  lines.indent(() => lines.add(...node.values.map((value) => `${goString(value)},`)));
  lines.add("}", "", "// String returns the name in the schema.");
  lines.block(`func (e ${name}) String() string`, () => {
    lines.block(`if int(e) < len(${table})`, () => lines.add(`return ${table}[e]`));
    lines.add(`return "${name}(" + ${context.use("strconv", "FormatUint")}(uint64(e), 10) + ")"`);
  });
  return lines;
}

/** Returns a union: the interface, and a wrapper for each arm. */
export function unionType(node: UnionNode, context: GoContext): Lines {
  const { names } = context;
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
