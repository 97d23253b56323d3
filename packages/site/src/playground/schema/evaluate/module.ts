// A module with schemas, statement by statement. Statements that only use the schemas, such as codecs, are left out.
import type {
  ExportNamedDeclaration,
  ExportSpecifier,
  Identifier,
  ImportDeclaration,
  ImportSpecifier,
  ModuleDeclaration,
  Node,
  Statement,
  VariableDeclaration,
} from "acorn";
import { Budget } from "./budget.ts";
import { Evaluator } from "./expressions.ts";
import { isUser, PARTS, similar, TAKES_SCHEMA } from "./names.ts";
import { Broken, Namespace, Outside, Scope } from "./scope.ts";
import {
  BrokenError,
  LimitError,
  MissingError,
  OutsideError,
  type Place,
  SourceError,
  unsupported,
} from "./source-error.ts";
import { type AnyNode, eachName, parseModule } from "./syntax.ts";
import { nameOfSyntax } from "./syntax-names.ts";

/** The content of a module. */
export interface ModuleContent {
  /** Constants and exports by name, in the order of the text; the default export has the name `default`. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly exported: ReadonlySet<string>;
  /** The arguments of codecs. */
  readonly used: readonly unknown[];
  /** Where fields, types and schemas were made. */
  readonly places: ReadonlyMap<object, Place>;
  readonly errors: readonly SourceError[];
  /** Statements that do not belong to a schema. */
  readonly leftOut: readonly Place[];
}

/** Evaluates a module. Every error is in the result, in the order of the text. */
export function evaluateModule(text: string): ModuleContent {
  const reader = new ModuleReader();
  try {
    const { body } = parseModule(text);
    for (const statement of body) reader.declare(statement);
    for (const statement of body) reader.read(statement);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    reader.errors.push(error);
  }
  return reader;
}

/** Declarations that are gone when the program runs. */
const TYPES: ReadonlySet<string> = new Set([
  ...["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "TSDeclareFunction", "EmptyStatement"],
]);

class ModuleReader implements ModuleContent {
  readonly values = new Map<string, unknown>();
  readonly exported = new Set<string>();
  readonly used: unknown[] = [];
  readonly places = new Map<object, Place>();
  readonly errors: SourceError[] = [];
  readonly leftOut: Place[] = [];
  readonly #scope = new Scope();
  readonly #evaluator: Evaluator;

  constructor() {
    const onMade = (made: object, place: Place) => {
      if (!this.places.has(made)) this.places.set(made, place);
    };
    this.#evaluator = new Evaluator(this.#scope, new Budget(), onMade, (value) => this.used.push(value));
  }

  /** Notes the names that a statement declares. */
  declare(statement: Node): void {
    for (const name of namesIn(statement)) this.#scope.declare(name);
  }

  /** Reads a statement. */
  read(statement: Statement | ModuleDeclaration): void {
    if (isTypeOnly(statement)) return;
    try {
      this.#read(statement);
    } catch (error) {
      if (!(error instanceof SourceError) || error instanceof LimitError) throw error;
      const isBeside = this.#isBeside(statement, error);
      const why = "it is made of something that does not belong to a schema";
      for (const name of namesIn(statement)) this.#scope.set(name, isBeside ? new Outside(why) : new Broken());
      if (isBeside) this.leftOut.push(statement);
      else if (!(error instanceof BrokenError)) this.errors.push(error);
    }
  }

  #read(statement: Statement | ModuleDeclaration): void {
    switch (statement.type) {
      case "ImportDeclaration":
        return this.#import(statement);
      case "ExportNamedDeclaration":
        return this.#export(statement);
      case "ExportDefaultDeclaration":
        if (isTypeOnly(statement.declaration)) return;
        this.#keep("default", this.#evaluator.value(statement.declaration), true);
        return;
      case "VariableDeclaration":
        return this.#constants(statement, false);
      case "ExpressionStatement":
        // A directive, such as "use strict", has no effect.
        if (statement.directive !== undefined) return;
        this.#evaluator.value(statement.expression);
        throw unsupported(nameOfSyntax(statement.type), statement);
      default:
        throw unsupported(nameOfSyntax(statement.type), statement);
    }
  }

  #keep(name: string, value: unknown, isExport: boolean): void {
    this.values.set(name, value);
    if (isExport) this.exported.add(name);
  }

  #import(statement: ImportDeclaration): void {
    const from = String(statement.source.value);
    const isOurs = from === "@moonpack/pck";
    for (const specifier of statement.specifiers) {
      const { name } = specifier.local;
      if ((specifier as unknown as AnyNode).importKind === "type") continue;
      if (!isOurs)
        this.#scope.set(name, new Outside(`it comes from ${from.slice(0, 100)}; put all into this one text`));
      else if (specifier.type === "ImportNamespaceSpecifier") this.#scope.set(name, new Namespace());
      else
        this.#importPart(specifier.type === "ImportSpecifier" ? importedName(specifier) : "default", name, specifier);
    }
  }

  #importPart(imported: string, local: string, node: Node): void {
    if (PARTS.has(imported)) return this.#scope.set(local, PARTS.get(imported));
    if (isUser(imported)) return this.#scope.set(local, new Outside("it makes no schema", TAKES_SCHEMA.has(imported)));
    this.#scope.set(local, new Broken());
    const known = similar(imported);
    const hint = known === undefined ? "" : ` Is it ${known}?`;
    this.errors.push(new SourceError(`@moonpack/pck exports no ${imported.slice(0, 60)}.${hint}`, node));
  }

  #export(statement: ExportNamedDeclaration): void {
    const { declaration, source } = statement;
    if (source != null) throw unsupported("exports of other files", statement);
    if (declaration?.type === "VariableDeclaration") return this.#constants(declaration, true);
    if (declaration != null) throw unsupported(nameOfSyntax(declaration.type), declaration);
    for (const specifier of statement.specifiers) this.#exportPart(specifier);
  }

  #exportPart(specifier: ExportSpecifier): void {
    if ((specifier as unknown as AnyNode).exportKind === "type") return;
    const { name } = specifier.local as Identifier;
    const { exported } = specifier;
    this.#keep(
      exported.type === "Identifier" ? exported.name : String(exported.value),
      this.#valueOf(name, specifier),
      true,
    );
  }

  /** The value of an exported name; undefined for one that is imported, since it is not a schema here. */
  #valueOf(name: string, node: Node): unknown {
    return this.#scope.peek(name) instanceof Outside ? undefined : this.#scope.valueOf(name, node);
  }

  #constants(statement: VariableDeclaration, isExport: boolean): void {
    for (const { id, init } of statement.declarations) {
      if (init == null) throw unsupported("constants without a value", id);
      const value = this.#evaluator.value(init);
      if (id.type !== "Identifier") throw unsupported("patterns", id);
      this.#scope.set(id.name, value);
      this.#keep(id.name, value, isExport);
    }
  }

  /** True for a statement that cannot be evaluated, and need not be: no schema is made of it. */
  #isBeside(statement: Node, error: SourceError): boolean {
    if (error instanceof OutsideError) return true;
    if (error instanceof MissingError || error instanceof BrokenError || error.code !== undefined) return false;
    if (/^(?:Function|Class)Declaration$/.test(statement.type)) return true;
    let usesOutside = false;
    let usesParts = false;
    eachName(statement, (name) => {
      const value = this.#scope.peek(name);
      usesOutside ||= value instanceof Outside;
      usesParts ||= value instanceof Namespace || ALL_PARTS.has(value);
    });
    return usesOutside && !usesParts;
  }
}

const ALL_PARTS: ReadonlySet<unknown> = new Set(PARTS.values());

function importedName(specifier: ImportSpecifier): string {
  const { imported } = specifier;
  return imported.type === "Identifier" ? imported.name : String(imported.value);
}

function isTypeOnly(statement: Node): boolean {
  const { type, importKind, exportKind, declare, declaration } = statement as AnyNode;
  if (TYPES.has(type) || importKind === "type" || exportKind === "type" || declare === true) return true;
  return type === "ExportNamedDeclaration" && declaration != null && isTypeOnly(declaration as Node);
}

/** The names that a statement declares. */
function namesIn(statement: Node): string[] {
  const { type, id, declarations, declaration } = statement as AnyNode;
  if (type === "ExportNamedDeclaration" && declaration != null) return namesIn(declaration as Node);
  const targets =
    type === "VariableDeclaration"
      ? (declarations as { readonly id: Node }[]).map((one) => one.id)
      : /^(?:Function|Class|TSEnum)Declaration$/.test(type)
        ? [id as Node]
        : [];
  const names: string[] = [];
  for (const target of targets) eachName(target, (name) => names.push(name));
  return names;
}
