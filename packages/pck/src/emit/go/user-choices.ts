/**
 * The choices of the caller's hooks for a model: types, pointers, factories, receivers. Each hook is called once for
 * each thing.
 */
import { invalidArgument, ownOption } from "moonpack/bytes";
import { schemaError } from "../../model/errors.js";
import type { Member, Model, Node, Struct, UnionNode } from "../../model/model.js";
import type { GoNames } from "./names.js";
import {
  type GoFactory,
  type GoFieldType,
  type GoPlace,
  type GoSettings,
  type GoSubject,
  IMPORT_PATH,
} from "./options.js";
import { isPredeclared, isReservedName } from "./reserved-names.js";
import { absentFormOf, goTypeOf, takesOwnType } from "./types.js";

/** A name, with or without a package. */
const TYPE_NAME = /^(?:[a-z_]\w*\.)?[\p{L}_][\p{L}\p{Nd}_]*$/u;
/** Names, calls, assertions and literals without text, on one line: enough to make a value. */
const EXPRESSION = /^[&\p{L}_(][\p{L}\p{Nd}_.,&*()[\]{} ]*$/u;
const RECEIVER = /^[\p{Ll}_][\p{L}\p{Nd}_]*$/u;

/** The choices for one model. */
export class UserChoices {
  readonly #settings: GoSettings;
  readonly #names: GoNames;
  readonly #types = new Map<Node, GoFieldType>();
  readonly #pointers = new Set<Node>();
  readonly #factories = new Map<string, GoFactory>();
  readonly #receivers = new Map<Struct, string>();
  /** Names in chosen types and factories, and receivers: no variable may have them. */
  readonly reservedNames = new Set<string>();

  constructor(model: Model, names: GoNames, settings: GoSettings) {
    this.#settings = settings;
    this.#names = names;
    for (const struct of model.structs) {
      this.#askFactory(names.subject(struct), names.struct(struct));
      for (const member of struct.members) this.#ask(struct, member);
    }
    for (const struct of model.structs) this.#askReceiver(struct);
    for (const receiver of this.#receivers.values()) this.reservedNames.add(receiver);
    for (const word of this.reservedNames) {
      if (isReservedName(word))
        throw schemaError("", `emitted functions use the name ${word} themselves: choose another one`);
    }
  }

  /** Returns the caller's type for a value. */
  typeOf(node: Node): GoFieldType | undefined {
    return this.#types.get(node);
  }

  /** Whether a required reference is a pointer. */
  isPointer(node: Node): boolean {
    return this.#pointers.has(node);
  }

  /** Returns the caller's factory for a struct, or for the wrapper of an arm. */
  factoryOf(type: string): GoFactory | undefined {
    return this.#factories.get(type);
  }

  /** Returns the receiver of a struct's methods. */
  receiverOf(struct: Struct): string {
    return this.#receivers.get(struct)!;
  }

  #askReceiver(struct: Struct): void {
    const receiver: unknown = this.#settings.receivers(this.#names.subject(struct), "v");
    if (typeof receiver !== "string" || !RECEIVER.test(receiver)) {
      throw schemaError(struct.name, `${JSON.stringify(receiver)} is not a valid name of a receiver in Go`);
    }
    if (this.reservedNames.has(receiver))
      throw schemaError(
        struct.name,
        `the receiver ${receiver} would hide a type, a package or a function of the same name`,
      );
    this.#receivers.set(struct, receiver);
  }

  #ask(struct: Struct, member: Member): void {
    const { type, name } = member;
    // An optional reference is always a pointer.
    if (type.kind === "ref" && absentFormOf(member) === "nil") return;
    this.#askNode(type, { struct: struct.name, name, part: "" });
  }

  #askNode(node: Node, place: GoPlace): void {
    const within = (step: string): GoPlace => ({ ...place, part: place.part === "" ? step : `${place.part}.${step}` });
    switch (node.kind) {
      case "ref":
        if (this.#settings.pointers(place)) this.#pointers.add(node);
        return;
      case "union":
        this.#askArms(node, place);
        return;
      case "nullable":
        if (node.value.kind !== "ref") this.#askNode(node.value, place);
        return;
      case "array":
        this.#askNode(node.element, within("element"));
        break;
      case "map":
        this.#askNode(node.key, within("key"));
        this.#askNode(node.value, within("value"));
    }
    if (takesOwnType(node)) this.#askType(node, place);
  }

  #askType(node: Node, place: GoPlace): void {
    const where = `${place.struct}.${place.name}`;
    const go = this.type(node);
    const own = this.#settings.types(place, go);
    const type = ownOption(own, "type");
    if (own === undefined || type === go) return;
    if (typeof type !== "string" || !TYPE_NAME.test(type) || isPredeclared(type)) {
      throw schemaError(
        where,
        `${JSON.stringify(type)} is not a valid name in Go for a type whose underlying type is ${go}`,
      );
    }
    this.reservedNames.add(type.split(".")[0]!);
    this.#types.set(node, { type, ...importOf(own) });
  }

  #askArms(node: UnionNode, { struct, name: field }: GoPlace): void {
    const { parts } = this.#names.named(node);
    for (const [i, { name }] of node.arms.entries()) this.#askFactory({ kind: "arm", name, struct, field }, parts[i]!);
  }

  #askFactory(subject: GoSubject, type: string): void {
    const own = this.#settings.factories(subject, `new(${type})`);
    if (own === undefined) return;
    const make = ownOption(own, "make");
    if (typeof make !== "string" || !EXPRESSION.test(make)) {
      throw schemaError(subject.struct, `${JSON.stringify(make)} is not a valid Go expression for a new value`);
    }
    for (const [word] of make.matchAll(/(?<![.\p{L}\p{Nd}_])[\p{L}_][\p{L}\p{Nd}_]*/gu)) {
      if (!isPredeclared(word)) this.reservedNames.add(word);
    }
    // Fields may share a union: the first choice counts.
    if (!this.#factories.has(type)) this.#factories.set(type, { make, ...importOf(own) });
  }

  /** Yields the import paths in the text of a value's type. */
  *importsOf(node: Node): Generator<string> {
    const own = this.#types.get(node);
    if (own?.import !== undefined) yield own.import;
    if (own !== undefined) return;
    if (node.kind === "array") yield* this.importsOf(node.element);
    else if (node.kind === "nullable") yield* this.importsOf(node.value);
    else if (node.kind === "map") {
      yield* this.importsOf(node.key);
      yield* this.importsOf(node.value);
    }
  }

  /** Returns the type of a value in Go. */
  type(node: Node): string {
    const own = this.#types.get(node);
    if (own !== undefined) return own.type;
    const go = goTypeOf(node, this.#names, (inner) => this.type(inner));
    return this.#pointers.has(node) ? `*${go}` : go;
  }
}

/** Returns the import path of a choice, if any. */
function importOf(choice: object): { readonly import?: string } {
  const path = ownOption(choice, "import");
  if (path === undefined) return {};
  if (typeof path === "string" && IMPORT_PATH.test(path)) return { import: path };
  throw invalidArgument(`${JSON.stringify(path)} is not a valid path of a Go package`);
}
