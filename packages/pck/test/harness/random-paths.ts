/** Random paths into the values of a schema, and what they stand for: the walk through a decoded value. */
import { pick, type Random } from "./random-schemas.ts";
import { type DocumentType, type SchemaDocument, shapeOf } from "./shape.ts";

/** A path in one of its forms. */
export type RandomPath = string | readonly string[];

/** Returns a random path: to a field, into structs, arms and elements. undefined for a schema without fields. */
export function randomPath(random: Random, doc: SchemaDocument): RandomPath | undefined {
  const steps: string[] = [];
  for (let type: DocumentType | undefined = { ref: doc.root }; type !== undefined && steps.length < 8; ) {
    if (steps.length > 0 && random(4) === 0) break;
    const step = randomStep(random, doc, type);
    if (step === undefined) break;
    steps.push(step.name);
    type = step.type;
  }
  if (steps.length === 0) return undefined;
  return random(2) === 0 && !steps.some((step) => step.includes(".")) ? steps.join(".") : steps;
}

interface RandomStep {
  readonly name: string;
  /** undefined for a union's discriminator. */
  readonly type: DocumentType | undefined;
}

function randomStep(random: Random, doc: SchemaDocument, type: DocumentType): RandomStep | undefined {
  const shape = shapeOf(type);
  switch (shape.is) {
    case "ref": {
      const { fields } = doc.structs[shape.struct]!;
      return fields.length === 0 ? undefined : pick(random, fields);
    }
    case "union": {
      if (random(4) === 0) return { name: shape.discriminator, type: undefined };
      return randomStep(random, doc, { ref: pick(random, shape.arms)[1] });
    }
    case "array":
      return { name: "*", type: shape.element };
    case "nullable":
      return randomStep(random, doc, shape.value);
    default:
      return undefined;
  }
}

/** Returns what a path stands for in a decoded value: undefined for what it lacks. */
export function walked(value: unknown, path: RandomPath): unknown {
  const [step, ...rest] = typeof path === "string" ? path.split(".") : path;
  if (step === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return step === "*" ? Array.from(value as ArrayLike<unknown>, (element) => walked(element, rest)) : undefined;
  return Object.hasOwn(value, step) ? walked((value as Record<string, unknown>)[step], rest) : undefined;
}
