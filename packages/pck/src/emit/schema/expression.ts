/** Expressions of source text, laid out as Prettier does: on one line if it fits, else one part a line. */

/** Source text, or a list of parts in brackets: the arguments of a call, the entries of an object. */
export type Expression =
  | string
  | {
      readonly open: string;
      readonly parts: readonly Expression[];
      readonly close: string;
      /** Between brackets and parts on one line. */
      readonly space?: string;
    };

const WIDTH = 120;

/** Returns a call of a function. */
export function call(name: string, ...parts: readonly Expression[]): Expression {
  return { open: `${name}(`, parts, close: ")" };
}

/** Returns an object literal. */
export function object(entries: readonly (readonly [key: string, value: Expression])[]): Expression {
  if (entries.length === 0) return "{}";
  return { open: "{", parts: entries.map(([key, value]) => named(key, value)), close: "}", space: " " };
}

/** Returns an array literal. */
export function list(parts: readonly Expression[]): Expression {
  return { open: "[", parts, close: "]" };
}

function named(key: string, value: Expression): Expression {
  return typeof value === "string" ? key + value : { ...value, open: key + value.open };
}

/** Returns the text of an expression that begins after `before` characters of a line with this indentation. */
export function textOf(expression: Expression, indent: number, before: number, after: number): string {
  const flat = flatText(expression);
  if (typeof expression === "string" || before + flat.length + after <= WIDTH) return flat;
  const inner = " ".repeat(indent + 2);
  const parts = expression.parts.map((part) => `${inner}${textOf(part, indent + 2, indent + 2, 1)},\n`);
  return `${expression.open}\n${parts.join("")}${" ".repeat(indent)}${expression.close}`;
}

function flatText(expression: Expression): string {
  if (typeof expression === "string") return expression;
  const { open, parts, close, space = "" } = expression;
  return `${open}${space}${parts.map(flatText).join(", ")}${space}${close}`;
}
