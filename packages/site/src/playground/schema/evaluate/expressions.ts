// The values of expressions. Nothing runs that the text has written: its calls reach functions of @moonpack/pck alone.

import { Schema } from "@moonpack/pck";
import type {
  ArrayExpression,
  ArrowFunctionExpression,
  CallExpression,
  ConditionalExpression,
  Expression,
  Literal,
  MemberExpression,
  NewExpression,
  Node,
  ObjectExpression,
  Property,
  SpreadElement,
  Super,
  TemplateLiteral,
} from "acorn";
import { MoonpackError } from "moonpack/bytes";
import type { Budget } from "./budget.ts";
import { isPlain, member } from "./members.ts";
import { type Builder, PARTS, TAKES_SCHEMA } from "./names.ts";
import { binary, printed, unary } from "./operators.ts";
import { CLASSES, Namespace, Outside, type Scope } from "./scope.ts";
import { MissingError, OutsideError, type Place, SourceError, unsupported } from "./source-error.ts";
import { bare } from "./syntax.ts";
import { nameOfSyntax } from "./syntax-names.ts";
import { isTooDeep } from "./too-deep.ts";

/** Functions that may be called, to know them from other values. */
const BUILDERS: ReadonlySet<unknown> = new Set([...PARTS.values()].filter((part) => typeof part === "function"));

/** Evaluates expressions of a module. */
export class Evaluator {
  readonly #scope: Scope;
  readonly #budget: Budget;
  /** Hears of each object that a call has made. */
  readonly #onMade: (made: object, place: Place) => void;
  /** Hears of values that are given to a codec. */
  readonly #onUsed: (value: unknown, place: Place) => void;

  constructor(
    scope: Scope,
    budget: Budget,
    onMade: (made: object, place: Place) => void,
    onUsed: (value: unknown, place: Place) => void,
  ) {
    this.#scope = scope;
    this.#budget = budget;
    this.#onMade = onMade;
    this.#onUsed = onUsed;
  }

  /** The value of an expression. Throws a {@link SourceError}. */
  value(given: Node): unknown {
    const node = bare(given) as Expression;
    this.#budget.step(node);
    return this.#budget.nested(node, () => this.#valueOf(node));
  }

  #valueOf(node: Expression): unknown {
    switch (node.type) {
      case "Literal":
        return this.#literal(node);
      case "TemplateLiteral":
        return this.#template(node);
      case "Identifier":
        return this.#scope.valueOf(node.name, node);
      case "ArrayExpression":
        return this.#budget.made(...this.#list(node));
      case "ObjectExpression":
        return this.#object(node);
      case "UnaryExpression":
        return unary(node, this.value(node.argument));
      case "BinaryExpression":
        return this.#text(binary(node, this.value(node.left), this.value(node.right)), node);
      case "ConditionalExpression":
        return this.#conditional(node);
      case "MemberExpression":
        return this.#member(node);
      case "CallExpression":
        return this.#call(node);
      case "NewExpression":
        return this.#instance(node);
      case "ArrowFunctionExpression":
        return this.#reference(node);
      default:
        throw unsupported(nameOfSyntax(node.type), node);
    }
  }

  #literal(node: Literal): unknown {
    if (node.regex !== undefined) throw unsupported("regular expressions", node);
    if (typeof node.bigint !== "string") return this.#text(node.value, node);
    if (node.bigint.length > 100) throw new SourceError("This integer has more than 64 bits.", node);
    return BigInt(node.bigint);
  }

  /** Counts a text that was put together. */
  #text<Value>(value: Value, place: Place): Value {
    if (typeof value === "string") this.#budget.hand([value], place);
    return value;
  }

  #template(node: TemplateLiteral): string {
    let text = "";
    node.quasis.forEach(({ value }, index) => {
      text += value.cooked ?? "";
      const part = node.expressions[index];
      if (part !== undefined) text += printed(this.value(part), part);
      this.#text(text, node);
    });
    return text;
  }

  /** The items of a list or of arguments, twice: as the value, and as its parts. */
  #list({ elements }: Pick<ArrayExpression, "elements">): [unknown[], unknown[]] {
    const items: unknown[] = [];
    for (const element of elements) {
      if (element === null) continue;
      if (element.type !== "SpreadElement") items.push(this.value(element));
      else for (const item of this.#spread(element)) items.push(item);
    }
    return [items, items];
  }

  #spread(node: SpreadElement): readonly unknown[] {
    const list = this.value(node.argument);
    if (!Array.isArray(list)) throw new SourceError("Only a list can be spread here.", node);
    for (let count = 0; count < list.length; count++) this.#budget.step(node);
    return list;
  }

  #object(node: ObjectExpression): unknown {
    const made: Record<string, unknown> = {};
    const add = (key: string, value: unknown) =>
      Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const spread = this.value(property.argument);
        if (!isPlain(spread)) throw new SourceError("Only an object can be spread here.", property);
        for (const [key, value] of Object.entries(spread)) {
          this.#budget.step(property);
          add(key, value);
        }
      } else add(this.#key(property), this.value(property.value));
    }
    return this.#budget.made(made, Object.values(made));
  }

  #key(property: Property): string {
    if (property.kind !== "init" || property.method) throw unsupported("getters, setters and methods", property);
    if (property.computed) {
      const key = this.value(property.key);
      if (typeof key === "string" || typeof key === "number") return String(key);
      throw new SourceError("The name of a property must be text.", property.key);
    }
    const key = property.key.type === "Identifier" ? property.key.name : String((property.key as Literal).value);
    if (key === "__proto__" && !property.shorthand)
      throw new SourceError(
        'This would set a prototype. A property of that name is written as ["__proto__"].',
        property,
      );
    return key;
  }

  #conditional(node: ConditionalExpression): unknown {
    const test = this.value(node.test);
    if (typeof test !== "boolean") throw new SourceError("The condition must be true or false.", node.test);
    return this.value(test ? node.consequent : node.alternate);
  }

  #member(node: MemberExpression): unknown {
    if (node.optional === true) throw unsupported("optional chaining", node);
    const object = this.value(node.object);
    if (node.property.type === "PrivateIdentifier") throw unsupported("private members", node);
    const key = !node.computed && node.property.type === "Identifier" ? node.property.name : this.value(node.property);
    const value = member(node, object, key);
    // The list of a schema's fields is as large as the schema.
    return Array.isArray(value) ? this.#budget.made(value, value) : value;
  }

  #call(node: CallExpression): unknown {
    if (node.optional === true) throw unsupported("optional chaining", node);
    const callee = bare(node.callee as Node) as Expression | Super;
    if (callee.type === "Super") throw unsupported("super", callee);
    this.#use(callee, node);
    if (isBytesOf(callee) && !this.#scope.has("Uint8Array")) return this.#bytes(this.#arguments(node), node);
    const builder = this.value(callee);
    if (!BUILDERS.has(builder)) throw unsupported("calls of other functions", callee);
    const parts = this.#arguments(node);
    // Only this one copies a schema.
    if (builder === PARTS.get("doc") && parts[0] instanceof Schema) this.#budget.hand(parts[0].fields, node);
    return this.#built(node, parts, () => (builder as Builder)(...parts));
  }

  /** Notes the schema of a codec, though the codec is not created. */
  #use(callee: Expression, { arguments: [first] }: CallExpression): void {
    const isNamed = callee.type === "Identifier" && isCodec(this.#scope.peek(callee.name));
    const isOfModule =
      callee.type === "MemberExpression" &&
      callee.object.type === "Identifier" &&
      this.#scope.peek(callee.object.name) instanceof Namespace &&
      callee.property.type === "Identifier" &&
      TAKES_SCHEMA.has(callee.property.name);
    if (first === undefined || first.type === "SpreadElement" || !(isNamed || isOfModule)) return;
    try {
      this.#onUsed(this.value(first), first);
    } catch (error) {
      // It is made of something that is not here: so is the codec.
      if (!(error instanceof OutsideError || error instanceof MissingError)) throw error;
    }
  }

  /** The arguments of a call. All must be known, since they become parts of the schema. */
  #arguments(node: CallExpression | NewExpression): readonly unknown[] {
    try {
      return this.#list({ elements: node.arguments })[0];
    } catch (error) {
      if (error instanceof OutsideError) throw new MissingError(error.message, error);
      throw error;
    }
  }

  #built<Result>(node: Node, parts: readonly unknown[], build: () => Result): Result {
    this.#budget.hand(parts, node);
    let result: Result;
    try {
      result = build();
    } catch (error) {
      if (error instanceof MoonpackError) throw new SourceError(error.message, node, error.code);
      if (error instanceof TypeError || isTooDeep(error))
        throw new SourceError(`This call is not valid: ${(error as Error).message}.`, node);
      throw error;
    }
    if (typeof result === "object" && result !== null) this.#onMade(result, node);
    return this.#budget.made(result, parts);
  }

  #instance(node: NewExpression): unknown {
    const { callee } = node;
    const name = callee.type === "Identifier" && !this.#scope.has(callee.name) ? callee.name : "";
    if (!CLASSES.has(name)) {
      if (callee.type === "Identifier" && this.#scope.has(callee.name)) this.#scope.valueOf(callee.name, callee);
      throw unsupported("instances of other classes than Map and Uint8Array", node);
    }
    const parts = this.#list({ elements: node.arguments })[0];
    const [first = []] = parts;
    if (parts.length > 1 || !Array.isArray(first))
      throw new SourceError(`A new ${name} is made of one list here.`, node);
    if (name === "Uint8Array") return this.#bytes(first, node);
    const isPaired = first.every((pair) => Array.isArray(pair) && pair.length === 2);
    if (!isPaired) throw new SourceError("A Map is made of a list of pairs: [[key, value], ..].", node);
    return this.#built(node, first, () => new Map(first as [unknown, unknown][]));
  }

  #bytes(items: readonly unknown[], node: Node): Uint8Array {
    const areBytes = items.every((item) => Number.isInteger(item) && (item as number) >= 0 && (item as number) < 256);
    if (!areBytes) throw new SourceError("Bytes are integers from 0 to 255.", node);
    return this.#built(node, items, () => Uint8Array.from(items as number[]));
  }

  /** `() => Name`: a schema that is declared later, or that contains itself. */
  #reference(node: ArrowFunctionExpression): () => unknown {
    const body = bare(node.body as Node);
    const isReference = node.params.length === 0 && !node.async && (body.type === "Identifier" || isPath(body));
    if (!isReference) throw unsupported("functions but references such as () => Node", node);
    return () => this.value(body);
  }
}

function isCodec(value: unknown): boolean {
  return value instanceof Outside && value.takesSchema;
}

/** True for `a.b`. */
function isPath(node: Node): boolean {
  const { type, object } = node as MemberExpression;
  return type === "MemberExpression" && (object.type === "Identifier" || isPath(object));
}

/** True for `Uint8Array.of`. */
function isBytesOf(callee: Expression): boolean {
  if (callee.type !== "MemberExpression" || callee.computed) return false;
  const { object, property } = callee;
  return (
    object.type === "Identifier" &&
    object.name === "Uint8Array" &&
    property.type === "Identifier" &&
    property.name === "of"
  );
}
