/** Later versions of a schema: a few usual changes, and now and then one that does not fit. */
import { fingerprint } from "@moonpack/pck";
import { decodeReference } from "./decode.ts";
import { encodeReference } from "./encode.ts";
import { Layout } from "./layout.ts";
import { pick, type Random } from "./random-schemas.ts";
import { randomValue } from "./random-values.ts";
import { type DocumentField, type DocumentType, type Json, kindOf, type SchemaDocument, shapeOf } from "./shape.ts";

const NUMBERS = "u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 uvar ivar uvar64 ivar64".split(" ");
/** Wider types of a type. */
const WIDER = new Map([
  ["u8", "u16 i16 uvar f32"],
  ["u16", "u32 i32 ivar f32"],
  ["u32", "uvar u64 i64 f64"],
  ["uvar", "u32 uvar64 ivar64 f64"],
  ["u64", "uvar64"],
  ["uvar64", "u64"],
  ["i8", "i16 ivar f32"],
  ["i16", "i32 ivar64 f64"],
  ["i32", "ivar i64 f64"],
  ["ivar", "i32 i64 f64"],
  ["i64", "ivar64"],
  ["ivar64", "i64"],
  ["f32", "f64"],
]);

/** Returns a valid schema after some changes. */
export function evolved(random: Random, doc: SchemaDocument): SchemaDocument {
  for (;;) {
    const structs = new Map<string, DocumentField[]>();
    for (const [name, { fields }] of Object.entries(doc.structs)) structs.set(name, [...fields]);
    for (let n = 1 + random(4); n > 0; n--) {
      const name = random(2) === 0 ? doc.root : pick(random, [...structs.keys()]);
      change(random, doc, structs.get(name)!);
    }
    const changed = [...structs].map(([name, fields]) => [name, { fields }] as const);
    const next: SchemaDocument = { pck: 1, root: doc.root, structs: Object.fromEntries(changed) };
    if (isValid(next)) return settled(next);
  }
}

/**
 * Returns the schema with its defaults as they are decoded: absent fields of their structs are there, properties that are no
 * fields are not.
 */
export function settled(doc: SchemaDocument): SchemaDocument {
  const structs = Object.entries(doc.structs).map(([name, { fields }]) => {
    const others = fields.map((field) =>
      Object.hasOwn(field, "default") ? defaulted(doc, field, (holder) => holder.default as Json) : field,
    );
    return [name, { fields: others }] as const;
  });
  return { ...doc, structs: Object.fromEntries(structs) };
}

function isValid(doc: SchemaDocument): boolean {
  try {
    fingerprint(doc);
    return true;
  } catch {
    return false;
  }
}

function change(random: Random, doc: SchemaDocument, fields: DocumentField[]): void {
  const ofNames = fields.findIndex(({ type }) => /"(?:enumeration|union)":/.test(JSON.stringify(type)));
  const isOfNames = ofNames >= 0 && random(2) === 0;
  const at = isOfNames ? ofNames : random(fields.length);
  const field = fields[at];
  switch (field === undefined ? 0 : isOfNames ? 7 + random(3) : random(12)) {
    case 0:
    case 1:
      fields.splice(random(fields.length + 1), 0, addedField(random, doc, `new${random(1000)}`));
      return;
    case 2:
      fields.splice(at, 1);
      return;
    case 3:
      fields[at] = { ...field!, name: `now${random(1000)}`, renamed: [field!.name, ...(field!.renamed ?? [])] };
      return;
    case 4:
      fields.push(...fields.splice(at, 1));
      return;
    case 5:
    case 6:
      fields[at] = withDefault(random, doc, { ...field!, omit: otherFlags(random, field!) });
      return;
    case 7:
      fields[at] = withDefault(random, doc, field!);
      return;
    default: {
      const { default: _, ...rest } = field!;
      fields[at] = { ...rest, type: changedType(random, rest.type) };
    }
  }
}

function addedField(random: Random, doc: SchemaDocument, name: string): DocumentField {
  const structs = Object.keys(doc.structs);
  const types: readonly DocumentType[] = [
    ...["bool", "utf8", "bytes", pick(random, NUMBERS), { enumeration: ["a", "b"] }, { array: "u16" }],
    ...[{ map: ["utf8", "i64"] } as const, { ref: pick(random, structs) }, { ref: pick(random, structs) }],
    { union: [["one", pick(random, structs)]] },
  ];
  const field: DocumentField = { name, type: pick(random, types) };
  const isBool = field.type === "bool";
  return random(3) > 0 ? withDefault(random, doc, field) : isBool ? field : { ...field, omit: ["null"] };
}

/** Returns a field with a random default, if the result is valid. */
function withDefault(random: Random, doc: SchemaDocument, field: DocumentField): DocumentField {
  const { default: _, ...plain } = field;
  if (!isValid(holderOf(doc, plain))) return plain;
  return defaulted(doc, plain, ({ name }, layout) => {
    const value = randomValue(random, layout, 8) as JsonObject;
    return Object.hasOwn(value, name) ? value[name] : undefined;
  });
}

type JsonObject = { readonly [name: string]: Json };

/** Returns the field with a default as it is decoded. */
function defaulted(
  doc: SchemaDocument,
  field: DocumentField,
  make: (field: DocumentField, layout: Layout) => Json | undefined,
): DocumentField {
  const layout = new Layout(holderOf(doc, field));
  const value = make(field, layout);
  const read = decodeReference(layout, encodeReference(layout, value === undefined ? {} : { [field.name]: value }));
  if ("error" in read) throw new Error("the model refuses what it wrote");
  return { ...field, default: (read.value as JsonObject)[field.name] };
}

/** Returns a schema with one field, and all structs that it may refer to. */
function holderOf(doc: SchemaDocument, field: DocumentField): SchemaDocument {
  const { default: _, ...plain } = field;
  return { pck: 1, root: "~", structs: { ...doc.structs, "~": { fields: [plain] } } };
}

function otherFlags(random: Random, { type }: DocumentField): ("null" | "empty" | "zero")[] {
  const kind = kindOf(type);
  const flags: ("null" | "empty" | "zero")[] = kind !== "bool" && random(2) === 0 ? ["null"] : [];
  if (NUMBERS.includes(kind) && random(2) === 0) flags.push("zero");
  const shape = shapeOf(type);
  const isCounted = ["utf8", "ascii", "bytes", "array", "map"].includes(kind);
  if (isCounted && !("length" in shape && shape.length !== undefined) && random(2) === 0) flags.push("empty");
  return flags;
}

function changedType(random: Random, type: DocumentType): DocumentType {
  const shape = shapeOf(type);
  if (random(40) === 0) return pick<DocumentType>(random, ["u8", "utf8", "bytes", "bool", { array: "u8" }]);
  switch (shape.is) {
    case "fixed":
    case "varint":
    case "float":
      return pick(random, random(6) === 0 ? NUMBERS : (WIDER.get(kindOf(type)) ?? "f64").split(" "));
    case "bytes":
      return "bytes";
    case "ascii":
      return pick<DocumentType>(random, ["ascii", "utf8"]);
    case "enumeration":
      return { enumeration: changedList(random, shape.values, (n) => `other${n}`) };
    case "union": {
      const arms = changedList(random, shape.arms, (n) => [`other${n}`, pick(random, shape.arms)[1]] as const);
      return { union: arms, ...(random(3) === 0 ? { discriminator: "~~" } : discriminatorOf(type)) };
    }
    case "array": {
      const element = changedElement(random, shape.element);
      return shape.length === undefined || random(2) === 0
        ? { array: element }
        : { array: element, length: shape.length };
    }
    case "map":
      return { map: [changedType(random, shape.key), changedElement(random, shape.value)] };
    case "nullable":
      return { nullable: changedType(random, shape.value) };
    default:
      return type;
  }
}

function changedElement(random: Random, element: DocumentType): DocumentType {
  if (kindOf(element) !== "nullable" && random(4) === 0) return { nullable: element };
  return random(2) === 0 ? element : changedType(random, element);
}

function discriminatorOf(type: DocumentType): { readonly discriminator?: string } {
  const shape = shapeOf(type);
  return shape.is === "union" && shape.discriminator !== "kind" ? { discriminator: shape.discriminator } : {};
}

function changedList<T>(random: Random, list: readonly T[], another: (n: number) => T): readonly T[] {
  const changed = [...list];
  if (random(2) === 0) changed.splice(random(changed.length + 1), 0, another(random(1000)));
  if (random(3) === 0 && changed.length > 1) changed.splice(random(changed.length), 1);
  if (random(3) === 0) changed.push(...changed.splice(0, 1));
  return changed;
}
