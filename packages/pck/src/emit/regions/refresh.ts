/**
 * Regions of a hand-written file: comments mark them, their content is replaced, and everything else stays. Works for
 * any language whose comments begin with `//`, `/*` or `#`.
 *
 *     // pck:assign({"schema": "Player"})
 *     export class Player {
 *       // pck:emit("properties")
 *       // pck:end
 *     }
 */
import { invalidArgument, MoonpackError } from "moonpack/bytes";

/** The data that directives set for the lines after them. */
export type RegionData = Readonly<Record<string, unknown>>;

/** Returns the text of a region. `type`: the first argument of `pck:emit`. Throws for an unknown type. */
export type RenderRegion = (type: string, data: RegionData) => string;

/** A comment that is a directive. */
interface Directive {
  readonly name: string;
  /** The arguments in parentheses. */
  readonly given: readonly unknown[];
  readonly indent: string;
}

/** `// pck:name(argument)`, alone on its line. */
const DIRECTIVE = /^\ufeff?([ \t]*)(?:\/\/|\/\*|#)[ \t]*pck:([A-Za-z]*)[ \t]*(?:\((.*)\))?[ \t]*(?:\*\/)?[ \t]*\r?$/;
const MARK = /^\ufeff?[ \t]*(?:\/\/|\/\*|#)[ \t]*pck:/;

/**
 * Renders every region of `text`. Returns the whole text, which is unchanged if no region changed.
 *
 * `pck:assign({..})` sets data for the lines after it. `pck:merge({..})` merges data, objects member by member.
 * `pck:start` .. `pck:end` limits the data that is set between them. `pck:emit("type")` .. `pck:end` is a region; its
 * lines get the indentation of its first line. `pck:emit("type", "Player")` is a region with `schema` set to
 * `"Player"`.
 *
 * Throws `ERR_INVALID_ARGUMENT` for an invalid argument, and with the line of an invalid directive.
 *
 * @example
 * refreshRegions(readFileSync(file, "utf8"), (type, data) => memberText(type, data.schema));
 */
export function refreshRegions(text: string, render: RenderRegion): string {
  if (typeof text !== "string" || typeof render !== "function")
    throw invalidArgument("regions need a text and a function that renders them");
  const lines = text.split("\n"); // a line that ends with \r\n keeps its \r
  const kept: string[] = [];
  /** The data of each open scope, outermost first. */
  const scopes: Data[] = [new Map()];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    kept.push(line);
    const directive = directiveOf(line, i);
    if (directive === undefined) continue;
    const data = scopes.at(-1)!;
    switch (directive.name) {
      case "assign":
        for (const [key, value] of objectOf(directive, i)) data.set(key, value);
        break;
      case "merge":
        mergeInto(data, objectOf(directive, i));
        break;
      case "start":
        if (directive.given.length > 0) throw errorAtLine(i, "pck:start takes no argument");
        scopes.push(new Map(data));
        break;
      case "end":
        if (scopes.length === 1) throw errorAtLine(i, "pck:end without pck:start or pck:emit");
        scopes.pop();
        break;
      case "emit": {
        const end = endOf(lines, i);
        const ending = line.endsWith("\r") ? "\r" : "";
        kept.push(...rendered(directive, i, data, render).map((text) => text + ending), lines[end]!);
        i = end;
        break;
      }
      default:
        throw errorAtLine(i, `unknown directive pck:${directive.name}`);
    }
  }
  if (scopes.length > 1) throw errorAtLine(lines.length - 1, "pck:start without pck:end");
  return kept.join("\n");
}

type Data = Map<string, unknown>;

function directiveOf(line: string, i: number): Directive | undefined {
  if (!MARK.test(line)) return undefined;
  const match = DIRECTIVE.exec(line);
  if (match === null) throw errorAtLine(i, "a directive must be alone in its comment: pck:name or pck:name(argument)");
  const [, indent, name, argument] = match;
  try {
    return { name: name!, given: JSON.parse(`[${argument ?? ""}]`) as unknown[], indent: indent! };
  } catch {
    throw errorAtLine(i, `the argument of pck:${name} is not valid JSON`);
  }
}

/**
 * Returns the line that ends the region that begins at `start`. A directive within the region is an error: it would be lost.
 */
function endOf(lines: readonly string[], start: number): number {
  for (let i = start + 1; i < lines.length; i++) {
    const directive = directiveOf(lines[i]!, i);
    if (directive === undefined) continue;
    if (directive.name === "end") return i;
    throw errorAtLine(i, `pck:${directive.name} is not allowed within a region`);
  }
  throw errorAtLine(start, "pck:emit without pck:end");
}

function rendered({ given, indent }: Directive, i: number, data: Data, render: RenderRegion): string[] {
  const [type, schema] = given;
  if (typeof type !== "string" || given.length > 2 || (given.length === 2 && typeof schema !== "string")) {
    throw errorAtLine(
      i,
      'pck:emit takes a type and optionally a schema: pck:emit("class") or pck:emit("class", "Player")',
    );
  }
  const whole = given.length === 1 ? data : new Map(data).set("schema", schema);
  let text: string;
  try {
    text = render(type, Object.fromEntries(whole));
  } catch (cause) {
    throw errorAtLine(i, cause instanceof Error ? cause.message : String(cause), cause);
  }
  const lines = text.replace(/\n$/, "").split("\n");
  // Such a line would end the region, or begin another one, the next time.
  if (lines.some((line) => MARK.test(line))) throw errorAtLine(i, "the emitted text contains a directive");
  return text === "" ? [] : lines.map((line) => (line === "" ? "" : indent + line));
}

function objectOf({ name, given }: Directive, i: number): [string, unknown][] {
  const [data] = given;
  if (given.length === 1 && isObject(data)) return Object.entries(data);
  throw errorAtLine(i, `pck:${name} takes an object: pck:${name}({"schema": "Player"})`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Properties are never looked up by key, so `__proto__` is an ordinary key. */
function mergeInto(data: Data, entries: readonly (readonly [string, unknown])[]): void {
  for (const [key, value] of entries) data.set(key, merged(data.get(key), value));
}

function merged(old: unknown, value: unknown): unknown {
  if (!isObject(old) || !isObject(value)) return value;
  const result: Data = new Map(Object.entries(old));
  mergeInto(result, Object.entries(value));
  return Object.fromEntries(result);
}

function errorAtLine(i: number, text: string, cause?: unknown): Error {
  const message = `line ${i + 1}: ${text}`;
  return cause instanceof MoonpackError
    ? new MoonpackError(cause.code, message, cause)
    : invalidArgument(message, cause);
}
