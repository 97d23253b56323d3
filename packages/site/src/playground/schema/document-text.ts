// A schema document as text: its schema, or the place of its error.
import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/json";
import { type AnySchema, fromDocument } from "@moonpack/pck";
import { MoonpackError } from "moonpack/bytes";
import { isPlain } from "./evaluate/members.ts";
import { type Place, SourceError } from "./evaluate/source-error.ts";
import { isTooDeep } from "./evaluate/too-deep.ts";

/** Reads the text of a document. Throws a {@link SourceError} at its first error. */
export function readDocument(text: string): AnySchema {
  const document = parsed(text);
  try {
    return fromDocument(document as never);
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    const { message, code } = error;
    const place = found(() => new DocumentPlaces(text).placeOf(message));
    throw new SourceError(message, place, code);
  }
}

function parsed(text: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const [first = ""] = text.trimStart().split("\n", 1);
    if (isData(first)) throw new SourceError(DATA, { start: 0, end: 0 });
    const place = found(() => syntaxFault(text));
    throw new SourceError(`This is not JSON: ${(error as Error).message}.`, place);
  }
  if (!isDocument(document)) throw new SourceError(DATA, { start: 0, end: 0 });
  return document;
}

const DATA =
  'This is JSON, but no schema document: such a one has a "pck" of 1. If it is your data, put it into the samples, and make a schema of them.';

/** True for a value that tries to be a document. */
function isDocument(value: unknown): boolean {
  return isPlain(value) && Object.hasOwn(value, "pck");
}

/** True for JSON that does not. */
function isData(json: string): boolean {
  try {
    return !isDocument(JSON.parse(json));
  } catch {
    return false;
  }
}

/** The place that a search finds; the beginning for a text that is nested too deep for it. */
function found(search: () => Place): Place {
  try {
    return search();
  } catch (error) {
    if (isTooDeep(error)) return { start: 0, end: 0 };
    throw error;
  }
}

/** Finds where a text stops being JSON, with a parser that continues after errors. */
function syntaxFault(text: string): Place {
  let fault: Place | undefined;
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (fault === undefined && type.isError) fault = { start: from, end: to };
      return fault === undefined;
    },
  });
  return fault ?? { start: 0, end: 0 };
}

/** Finds the places that errors name: `Player.health: ..`, `Player, field 2: ..`, `Player: unknown key "x"`. */
class DocumentPlaces {
  readonly #text: string;
  readonly #root: SyntaxNode | null;

  constructor(text: string) {
    this.#text = text;
    this.#root = parser.parse(text).topNode.firstChild;
  }

  placeOf(message: string): Place {
    const node = this.#named(message);
    const [, key] = /: unknown key ("(?:[^"\\]|\\.)*")$/.exec(message) ?? [];
    const found = key === undefined ? node : (this.#property(node, JSON.parse(key) as string) ?? node);
    return { start: found?.from ?? 0, end: found?.to ?? 0 };
  }

  #named(message: string): SyntaxNode | null {
    const root = this.#root;
    if (message.startsWith("root: ")) return this.#property(root, "root") ?? root;
    const structs = this.#property(root, "structs")?.lastChild ?? null;
    let best = root;
    let length = 0;
    for (const [name, value] of this.#properties(structs)) {
      if (name.length < length || !/^[.,:]/.test(message.slice(name.length)) || !message.startsWith(name)) continue;
      best = this.#inStruct(value, message.slice(name.length)) ?? value;
      length = name.length;
    }
    return best;
  }

  /** `rest`: the text after the struct's name. */
  #inStruct(struct: SyntaxNode | null, rest: string): SyntaxNode | undefined {
    const fields = itemsOf(this.#property(struct, "fields")?.lastChild ?? null);
    const [, index] = /^, field (\d+)[:,]/.exec(rest) ?? [];
    if (index !== undefined) return fields[Number(index)];
    return fields.find((field) => {
      const name = this.#property(field, "name")?.lastChild;
      return name != null && rest.startsWith(`.${this.#textOf(name)}: `);
    });
  }

  #property(object: SyntaxNode | null, key: string): SyntaxNode | undefined {
    for (const [name, , property] of this.#properties(object)) if (name === key) return property;
    return undefined;
  }

  *#properties(object: SyntaxNode | null): Generator<[name: string, value: SyntaxNode | null, property: SyntaxNode]> {
    for (const property of itemsOf(object)) {
      const { firstChild } = property;
      if (property.name === "Property" && firstChild !== null)
        yield [this.#textOf(firstChild), property.lastChild, property];
    }
  }

  /** The text of a string, or of a property's name. */
  #textOf(node: SyntaxNode): string {
    try {
      return String(JSON.parse(this.#text.slice(node.from, node.to)));
    } catch {
      return "";
    }
  }
}

/** The values of a list, the properties of an object. */
function itemsOf(node: SyntaxNode | null): SyntaxNode[] {
  const items: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling)
    if (/[A-Za-z]/.test(child.name)) items.push(child);
  return items;
}
