/** Prints queries in readable form, on several lines where one would be long. */
import { utf8Length } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import type { Expression } from "./nodes.js";
import { printGrouping, printLeft, printNode, printOperation, printSubqueryTime } from "./print.js";

/** The most bytes of an expression on one line. */
const MAX_BYTES = 100;
/** The most characters of indentation: many short lines, each nested 500 levels deep, would take a second. */
const MAX_INDENTS = 1 << 21;

/**
 * Returns a parsed query as Prometheus formats it: an expression of more than 100 bytes has its parts on separate lines. Its text gives
 * the same tree again. Takes time linear in the length of the query and its depth. Throws `ERR_INVALID_ARGUMENT` for anything else.
 *
 * @example
 * console.log(formatQuery(parseQuery("sum(x)by(job)"))); // sum by (job) (x)
 */
export function formatQuery(expression: Expression): string {
  return new Formatter(Number.POSITIVE_INFINITY).format(expression, 0);
}

/** Formats as {@link formatQuery} does. Throws `ERR_LIMIT_BYTES` for a text with so much indentation that it takes long. */
export function formatRequest(expression: Expression): string {
  return new Formatter(MAX_INDENTS).format(expression, 0);
}

class Formatter {
  /** Each node is printed on one line once. */
  readonly #lines = new Map<Expression, string>();
  readonly #maxIndents: number;
  #indents = 0;

  constructor(maxIndents: number) {
    this.#maxIndents = maxIndents;
  }

  /** Returns a node with its indentation. */
  format(node: Expression, level: number): string {
    const line = this.#line(node);
    const indent = "  ".repeat(level);
    this.#indents += indent.length;
    if (this.#indents > this.#maxIndents) {
      const text = `the formatted query would have more than ${this.#maxIndents} characters of indentation`;
      throw new PrometheusError("ERR_LIMIT_BYTES", text);
    }
    const below = (child: Expression) => this.format(child, level + 1);
    if (line.length <= MAX_BYTES && utf8Length(line) <= MAX_BYTES) return indent + line;
    switch (node.kind) {
      case "parentheses":
        return `${indent}(\n${below(node.expression)}\n${indent})`;
      case "unary":
        return `${indent}${node.operator}${this.format(node.expression, level).trimStart()}`;
      case "subquery":
        return `${this.format(node.expression, level)}${printSubqueryTime(node)}`;
      case "binary": {
        const left = printLeft(node, below);
        return `${left}\n${indent}${printOperation(node)}\n${below(node.right)}`;
      }
      case "aggregation": {
        const parameter = node.parameter === undefined ? "" : `${below(node.parameter)},\n`;
        return `${indent}${printGrouping(node)}(\n${parameter}${below(node.expression)}\n${indent})`;
      }
      case "call":
        if (node.arguments.length === 0) return indent + line;
        return `${indent}${node.function.name}(\n${node.arguments.map(below).join(",\n")}\n${indent})`;
      default:
        return indent + line;
    }
  }

  #line(node: Expression): string {
    let line = this.#lines.get(node);
    if (line === undefined) this.#lines.set(node, (line = printNode(node, (child) => this.#line(child))));
    return line;
  }
}
