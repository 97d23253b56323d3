/** A schema as a TypeScript module: the calls of `@moonpack/pck` that make it. */
import { type SchemaInput, toModel } from "../../document/to-model.js";
import { isIdentifier, quoted } from "../../generate/code.js";
import { Names } from "../../generate/names.js";
import { inType, memberType, type TypeScope } from "../../generate/types.js";
import { schemaError } from "../../model/errors.js";
import type { Member, Model, Node, Struct } from "../../model/model.js";
import { docComment } from "../javascript/doc-comment.js";
import { call, type Expression, object, textOf } from "./expression.js";
import { declarationOrder, recursiveStructs } from "./recursion.js";
import { keyText, valueText } from "./values.js";

/** Names that the module may import, in the order of the import. */
const IMPORTS = [
  ...["ARRAY", "ASCII", "array", "ascii", "BOOL", "BYTES", "bool", "bytes", "doc", "ENUMERATION", "enumeration"],
  ...["F32", "F64", "f32", "f64", "I16", "I32", "I64", "I8", "Infer", "IVAR", "IVAR64", "i16", "i32", "i64", "i8"],
  ...["ivar", "ivar64", "MAP", "map", "nullable", "omitEmpty", "omitNull", "omitZero", "REF", "ref", "renamed"],
  ...["Schema", "schema", "U16", "U32", "U64", "U8", "UNION", "UTF8", "UVAR", "UVAR64", "u16", "u32", "u64", "u8"],
  ...["union", "utf8", "uvar", "uvar64", "withDefault"],
];
/** Names that a type cannot have, or that TypeScript reads as something else where a type is named. */
const TYPE_WORDS = [
  ...["any", "as", "asserts", "bigint", "boolean", "infer", "intrinsic", "keyof", "never", "number", "object"],
  ...["readonly", "string", "symbol", "unique", "unknown"],
];
/** Names that a CommonJS module has already; an export named `__proto__` would be lost there. */
const MODULE_WORDS = ["__esModule", "__proto__", "exports", "module", "require"];
/** Options of a codec without options. */
const DEFAULTS: TypeScope["target"] = { int64: "bigint", maps: "map", typedArrays: false };
const TYPES: ReadonlySet<string> = /* @__PURE__ */ new Set(["Infer", "Schema"]);

/**
 * Returns a TypeScript module that declares a schema with the functions of `@moonpack/pck`, to be edited from then on:
 * each struct as a constant and as the type of its values, the root as the default export. The module's schema has the same fingerprint. A struct
 * without a name is named `Root` or `Struct`.
 *
 * Throws `ERR_SCHEMA` for a schema that is not valid, and for a union with arms named by integers, which has no form but
 * the document's.
 *
 * @example
 * writeFileSync("person.ts", schemaSource(infer(people, { name: "Person" }).document));
 */
export function schemaSource(schema: SchemaInput): string {
  return new Source(toModel(schema)).text();
}

class Source {
  readonly #model: Model;
  readonly #recursive: ReadonlySet<Struct>;
  readonly #identifiers = new Map<Struct, string>();
  /** Structs whose constants stand above. */
  readonly #declared = new Set<Struct>();
  readonly #used = new Set<string>();
  readonly #scope: TypeScope = {
    target: DEFAULTS,
    nameOf: (struct) => this.#identifiers.get(struct)!,
    hasInputType: () => false,
  };

  constructor(model: Model) {
    this.#model = model;
    this.#recursive = recursiveStructs(model);
    const names = new Names([...IMPORTS, ...TYPE_WORDS, ...MODULE_WORDS]);
    for (const struct of model.structs) {
      const stem = struct.name !== "" ? struct.name : struct === model.root ? "Root" : "Struct";
      this.#identifiers.set(struct, names.unique(stem));
    }
  }

  text(): string {
    const declarations = declarationOrder(this.#model).map((struct) => this.#declaration(struct));
    const names = IMPORTS.filter((name) => this.#used.has(name)).map((name) =>
      TYPES.has(name) ? `type ${name}` : name,
    );
    const imported = textOf({ open: "import {", parts: names, close: '} from "@moonpack/pck";', space: " " }, 0, 0, 0);
    const root = this.#identifiers.get(this.#model.root)!;
    return [imported, "\n", ...declarations.map((text) => `\n${text}`), `\nexport default ${root};\n`].join("");
  }

  #declaration(struct: Struct): string {
    const name = this.#identifiers.get(struct)!;
    const isRecursive = this.#recursive.has(struct);
    const comment = struct.doc === "" ? "" : `${docComment(struct.doc).join("\n")}\n`;
    const type = isRecursive ? `: ${this.#use("Schema")}<${name}>` : "";
    const start = `export const ${name}${type} = `;
    const fields = struct.members.map((member) => this.#field(member));
    const made = call(this.#use("schema"), quoted(struct.name === "" ? name : struct.name), ...fields);
    const value = struct.doc === "" ? made : call(this.#use("doc"), made, quoted(struct.doc));
    this.#declared.add(struct);
    const constant = `${comment}${start}${textOf(value, 0, start.length, 1)};\n`;
    if (isRecursive) return `${this.#interface(struct, name)}${constant}`;
    return `${constant}export type ${name} = ${this.#use("Infer")}<typeof ${name}>;\n`;
  }

  /** Returns the type of a struct that contains itself, which TypeScript cannot infer. */
  #interface(struct: Struct, name: string): string {
    const lines = struct.members.map((member) => {
      const key = isIdentifier(member.name) ? member.name : quoted(member.name);
      return `  ${key}: ${memberType(this.#scope, member, "out")};\n`;
    });
    return `export interface ${name} {\n${lines.join("")}}\n`;
  }

  #field(member: Member): Expression {
    const { name, type, omit, renamed, doc } = member;
    let field = this.#made(name, type);
    if (omit.has("null")) field = call(this.#use("omitNull"), field);
    if (omit.has("empty")) field = call(this.#use("omitEmpty"), field);
    if (omit.has("zero")) field = call(this.#use("omitZero"), field);
    if (member.hasDefault) {
      const value = member.isNullByDefault ? null : member.fallback;
      field = call(
        this.#use("withDefault"),
        field,
        valueText(value, type, (inner) => inType(this.#scope, inner, "out")),
      );
    }
    if (renamed.length > 0) field = call(this.#use("renamed"), field, ...renamed.map(quoted));
    return doc === "" ? field : call(this.#use("doc"), field, quoted(doc));
  }

  /** Returns a field without its modifiers: `utf8("name")`. */
  #made(name: string, type: Node): Expression {
    const maker = type.kind;
    if (maker === "nullable") throw schemaError(name, "nullable is only for elements and values of maps");
    return call(this.#use(maker), quoted(name), ...this.#typeParts(type));
  }

  /** Returns a type as a value: `ARRAY(U8)`. */
  #type(node: Node): Expression {
    if (node.kind === "nullable") return call(this.#use("nullable"), this.#type(node.value));
    const name = this.#use(node.kind.toUpperCase());
    const isCall = ["bytes", "ascii", "enumeration", "ref", "union", "array", "map"].includes(node.kind);
    return isCall ? call(name, ...this.#typeParts(node)) : name;
  }

  /** Returns the parts of a type: the arguments of its function. */
  #typeParts(node: Node): readonly Expression[] {
    switch (node.kind) {
      case "bytes":
      case "ascii":
        return node.length === 0 ? [] : [String(node.length)];
      case "enumeration":
        return node.values.map(quoted);
      case "ref":
        return [this.#reference(node.struct)];
      case "array":
        return [this.#type(node.element), ...(node.length === 0 ? [] : [String(node.length)])];
      case "map":
        return [this.#type(node.key), this.#type(node.value)];
      case "union": {
        const index = node.arms.length > 1 ? node.arms.find(({ name }) => /^\d+$/.test(name)) : undefined;
        if (index !== undefined)
          throw schemaError("", `the arm ${quoted(index.name)}: a union with such a name has a document only`);
        const arms = object(node.arms.map(({ name, struct }) => [keyText(name), this.#reference(struct)]));
        return node.discriminator === "kind" ? [arms] : [arms, quoted(node.discriminator)];
      }
      default:
        return [];
    }
  }

  /** Returns a schema by its name; as a function if it is declared below, or is the one in work. */
  #reference(struct: Struct): string {
    const name = this.#identifiers.get(struct)!;
    return this.#declared.has(struct) ? name : `() => ${name}`;
  }

  #use(name: string): string {
    this.#used.add(name);
    return name;
  }
}
