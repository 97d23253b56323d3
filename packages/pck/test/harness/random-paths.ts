/** Random paths into the values of a schema, and what they stand for: the walk through a decoded value. */
import { pick, type Random } from "./random-schemas.ts";
import { type DocumentType, isInBits, type SchemaDocument, shapeOf } from "./shape.ts";

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

/** Returns up to `count` random paths; some lead through others. */
export function randomPaths(random: Random, doc: SchemaDocument, count: number): readonly RandomPath[] {
  const paths: RandomPath[] = [];
  for (let n = 0; n < count; n++) {
    const before = paths.at(-1);
    const steps = before === undefined ? [] : namesOf(before);
    const path =
      steps.length > 1 && random(3) === 0 ? steps.slice(0, 1 + random(steps.length)) : randomPath(random, doc);
    if (path !== undefined) paths.push(path);
  }
  return paths;
}

function namesOf(path: RandomPath): readonly string[] {
  return typeof path === "string" ? path.split(".") : path;
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

/**
 * Returns what a path stands for in a decoded value: undefined for what it lacks. `onList` is called for each list that a `*` makes,
 * with the elements that its items count.
 */
export function walked(
  doc: SchemaDocument,
  value: unknown,
  path: RandomPath,
  onList: (elements: number) => void = () => {},
): unknown {
  return at({ ref: doc.root }, value, namesOf(path));

  function at(type: DocumentType, value: unknown, [step, ...rest]: readonly string[]): unknown {
    if (step === undefined) return value;
    if (value === null) return undefined;
    const shape = shapeOf(type);
    switch (shape.is) {
      case "nullable":
        return at(shape.value, value, [step, ...rest]);
      case "ref":
      case "union": {
        const isUnion = shape.is === "union";
        const kind = isUnion && (value as Record<string, unknown>)[shape.discriminator];
        if (isUnion && step === shape.discriminator) return rest.length === 0 ? kind : undefined;
        const struct = isUnion ? shape.arms.find(([name]) => name === kind)![1] : shape.struct;
        const field = doc.structs[struct]!.fields.find(({ name }) => name === step);
        return field && at(field.type, Object.getOwnPropertyDescriptor(value, step)!.value, rest);
      }
      case "array": {
        if (step !== "*") return undefined;
        const elements = Array.from(value as ArrayLike<unknown>);
        onList(isInBits(shape.element) ? Math.ceil(elements.length / 8) : elements.length);
        return elements.map((element) => at(shape.element, element, rest));
      }
      default:
        return undefined;
    }
  }
}
