// The syntax tree of a text in TypeScript. Parsing is bounded: brackets that look like types are read again and again.

import { tsPlugin } from "@sveltejs/acorn-typescript";
import { type Node, Parser, type Program } from "acorn";
import { MAX_CHARACTERS } from "../limits.ts";
import { SourceError } from "./source-error.ts";
import { isTooDeep } from "./too-deep.ts";

/** How often a text may be read over, for each of its characters. */
const MAX_READ_OVER = 4;

/** A parser as its plugins see it. */
interface Internals {
  readonly start: number;
  nextToken(): void;
}

type ParserClass = new (...args: never[]) => Internals;

/** Parses a module. Throws a {@link SourceError} at the first fault. */
export function parseModule(text: string): Program {
  if (text.length > MAX_CHARACTERS)
    throw new SourceError(
      `A schema may have ${MAX_CHARACTERS.toLocaleString("en")} characters here; this has ${text.length.toLocaleString("en")}.`,
      { start: 0, end: 0 },
    );
  const most = MAX_READ_OVER * text.length + 10_000;
  let tokens = 0;
  let last = 0;
  const counted = (Base: ParserClass): ParserClass =>
    class extends Base {
      override nextToken(): void {
        last = this.start;
        if (++tokens > most)
          throw new SourceError("Brackets and types are nested too deep here.", { start: last, end: last + 1 });
        super.nextToken();
      }
    };
  const Bounded = (Parser.extend(tsPlugin()) as unknown as { extend(plugin: typeof counted): typeof Parser }).extend(
    counted,
  );
  try {
    return Bounded.parse(text, { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch (error) {
    throw faultOf(error, last, text);
  }
}

function faultOf(error: unknown, last: number, text: string): unknown {
  if (isTooDeep(error))
    return new SourceError("This is nested too deep.", { start: last, end: Math.min(last + 1, text.length) });
  if (!(error instanceof SyntaxError)) return error;
  const { pos = last } = error as { readonly pos?: number };
  // The parser ends its messages with the line and column.
  const message = error.message.replace(/ \(\d+:\d+\)$/, "");
  const [found] = text.slice(pos, pos + 2);
  const words =
    message !== "Unexpected token"
      ? `${message}.`
      : found === undefined
        ? "The text ends too early: something is not closed."
        : `${found} is not expected here.`;
  return new SourceError(words, { start: pos, end: pos + (found?.length ?? 0) });
}

/** A node of any kind, with its parts. */
export type AnyNode = Node & { readonly [part: string]: unknown };

/** The expression within TypeScript's additions: `x as const`, `x satisfies T`, `x!`, `<T>x`. */
export function bare<Kind extends Node>(node: Kind): Kind {
  let inner: Node = node;
  while (ADDITIONS.has(inner.type)) inner = (inner as AnyNode).expression as Node;
  return inner as Kind;
}

const ADDITIONS: ReadonlySet<string> = new Set([
  ...["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSTypeAssertion", "ParenthesizedExpression"],
]);

/** Calls `visit` with the name and the node of each identifier that stands for a value. */
export function eachName(root: Node, visit: (name: string, node: Node) => void): void {
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "Identifier") visit((node as AnyNode).name as string, node);
    for (const [part, value] of Object.entries(node)) {
      const isName = (part === "property" || part === "key") && (node as AnyNode).computed !== true;
      if (isName || OF_TYPES.has(part)) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) open.push(child);
    }
  }
}

/** Parts of nodes that hold types. */
const OF_TYPES: ReadonlySet<string> = new Set(["typeAnnotation", "typeArguments", "typeParameters", "returnType"]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";
}
