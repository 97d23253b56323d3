/** Random schemas, paths and messages, with the values of `pick` as texts that other languages can make, too. */
import { randomSource } from "@moonpack/harness/random.ts";
import { codec } from "@moonpack/pck";
import { pick } from "@moonpack/pck/pick";
import { encodeReference } from "./encode.ts";
import { Layout } from "./layout.ts";
import * as many from "./many-lists.ts";
import { mutate } from "./mutate.ts";
import { type RandomPath, randomPath } from "./random-paths.ts";
import { randomSchema } from "./random-schemas.ts";
import { randomValue } from "./random-values.ts";
import { type DocumentType, type SchemaDocument, shapeOf } from "./shape.ts";

/** A message, and the text of the values or the error. The error has no code if any error will do. */
export interface PickCase {
  readonly bytes: string;
  readonly value?: string;
  readonly error?: object;
}

/** Paths into the values of a schema, with cases. */
export interface PickCases {
  readonly doc: SchemaDocument;
  readonly paths: Readonly<Record<string, RandomPath>>;
  readonly cases: readonly PickCase[];
}

/** Returns random cases. `isFor`: whether the language can have these paths. */
export function* pickCases(
  seed: number,
  count: number,
  isFor: (doc: SchemaDocument, paths: Readonly<Record<string, RandomPath>>) => boolean,
): Generator<PickCases> {
  yield manyLists();
  const random = randomSource(seed);
  for (let i = 0; i < count; i++) {
    const doc = randomSchema(random, "any");
    const paths: Record<string, RandomPath> = {};
    for (const field of ["one", "two", "three", "four"].slice(0, 1 + random(4))) {
      const path = randomPath(random, doc);
      if (path !== undefined && isFor(doc, { ...paths, [field]: path })) paths[field] = path;
    }
    if (Object.keys(paths).length === 0) continue;
    const picker = pick(codec<unknown, never>(doc), paths);
    const types = Object.values(paths).map((path) => typeAt(doc, [{ ref: doc.root }], stepsOf(path))!);
    const cases: PickCase[] = [];
    const add = (given: readonly number[] | Uint8Array, isValid: boolean) => {
      const input = Uint8Array.from(given);
      const bytes = Buffer.from(input).toString("hex");
      try {
        const values = Object.values(picker.decode(input));
        cases.push({ bytes, value: `{${values.map((value, at) => textOf(doc, types[at]!, value)).join()}}` });
      } catch (error) {
        const { code, offset, needMore } = error as { code: string; offset: number; needMore: number };
        cases.push({ bytes, error: isValid ? { code, offset, needMore } : {} });
      }
    };
    const layout = new Layout(doc);
    for (const size of [0, 25, 60]) {
      const bytes = encodeReference(layout, randomValue(random, layout, size));
      add(bytes, true);
      const step = Math.max(1, Math.floor(bytes.length / 40));
      for (let end = 0; end < bytes.length; end += step) add(bytes.slice(0, end), true);
      for (let n = 0; n < 3; n++) add(mutate(random, bytes), false);
    }
    yield { doc, paths, cases };
  }
}

/** Messages that are refused before their lists are made. */
function manyLists(): PickCases {
  const cases = many.messages.map((bytes, i) => ({
    bytes: Buffer.from(bytes).toString("hex"),
    error: many.firstCounts[i] ? { code: "ERR_LIMIT_ELEMENTS", offset: 1, needMore: 0 } : {},
  }));
  return { doc: many.document, paths: many.paths, cases };
}

function stepsOf(path: RandomPath): readonly string[] {
  return typeof path === "string" ? path.split(".") : path;
}

/** Returns the type of the value at a path: of the first arm that has it. */
function typeAt(
  doc: SchemaDocument,
  types: readonly DocumentType[],
  [step, ...rest]: readonly string[],
): DocumentType | undefined {
  if (step === undefined) return types[0];
  const next: DocumentType[] = [];
  const elements: DocumentType[] = [];
  for (const type of types) {
    const nullable = shapeOf(type);
    const shape = nullable.is === "nullable" ? shapeOf(nullable.value) : nullable;
    const structs =
      shape.is === "ref" ? [shape.struct] : shape.is === "union" ? shape.arms.map(([, struct]) => struct) : [];
    if (shape.is === "array" && step === "*") elements.push(shape.element);
    if (shape.is === "union" && shape.discriminator === step) next.push("utf8");
    for (const struct of structs)
      next.push(...doc.structs[struct]!.fields.filter(({ name }) => name === step).map(({ type }) => type));
  }
  if (elements.length > 0) {
    const element = typeAt(doc, elements, rest);
    return element === undefined ? undefined : { array: element };
  }
  return next.length === 0 ? undefined : typeAt(doc, next, rest);
}

/** Returns a value as text. What may stand for an absent value is `_`: null, zero, and empty. */
function textOf(doc: SchemaDocument, type: DocumentType, value: unknown): string {
  if (value === null || value === undefined) return "_";
  const shape = shapeOf(type);
  switch (shape.is) {
    case "bool":
      return String(value);
    case "utf8":
    case "ascii":
    case "enumeration":
      return value === "" ? "_" : `"${Buffer.from(value as string).toString("hex")}"`;
    case "float": {
      const bits = Object.is(value, Number.NaN) ? 0x7ff8000000000000n : bitsOf(value as number);
      return bits === 0n ? "_" : bits.toString(16);
    }
    case "bytes":
      return listText([...(value as Uint8Array)].map((byte) => (byte === 0 ? "_" : String(byte))));
    case "ref":
      return structText(doc, shape.struct, value as object);
    case "union": {
      const kind = Reflect.get(value as object, shape.discriminator);
      return `<${structText(doc, shape.arms.find(([name]) => name === kind)![1], value as object)}>`;
    }
    case "array":
      return listText((value as unknown[]).map((element) => textOf(doc, shape.element, element)));
    case "map": {
      const pairs = [...(value as Map<unknown, unknown>)].map(
        ([key, one]) => `${textOf(doc, shape.key, key)}:${textOf(doc, shape.value, one)}`,
      );
      return pairs.length === 0 ? "_" : `(${pairs.sort().join()})`;
    }
    case "nullable":
      return textOf(doc, shape.value, value);
    default:
      return String(value) === "0" ? "_" : String(value);
  }
}

function listText(items: readonly string[]): string {
  return items.length === 0 ? "_" : `[${items.join()}]`;
}

function structText(doc: SchemaDocument, struct: string, value: object): string {
  const { fields } = doc.structs[struct]!;
  return `{${fields.map(({ name, type }) => textOf(doc, type, Object.getOwnPropertyDescriptor(value, name)?.value)).join()}}`;
}

function bitsOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}
