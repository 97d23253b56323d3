/** Compiles the tree of a regular expression to the states of an automaton (Thompson's construction). */
import { invalidArgument } from "moonpack/bytes";
import type { Assertion, Atom, Tree } from "./tree.js";

/** Maximum number of states: each character of a text costs at most this many steps. */
const MAX_STATES = 10_000;

/** A state. */
export type State =
  /** Goes on after a character. */
  | { readonly accepts: Atom; readonly next: number }
  /** Goes on without a character, at positions where the assertion holds. */
  | { readonly to: readonly number[]; readonly holds?: Assertion };

/** The states of a regular expression. */
export interface Program {
  readonly states: readonly State[];
  readonly start: number;
  readonly hasAssertions: boolean;
}

/** The state after a match. */
export const END = 0;

/** Compiles a tree. Throws `ERR_INVALID_ARGUMENT` for too many states. */
export function compileTree(tree: Tree): Program {
  const states: State[] = [{ to: [] }];
  const add = (state: State): number => {
    if (states.length === MAX_STATES)
      throw invalidArgument(`a regular expression is too large: more than ${MAX_STATES} characters and branches`);
    return states.push(state) - 1;
  };
  let hasAssertions = false;
  /** Returns the state in which a part starts; after it the automaton is in state `next`. */
  const compile = (part: Tree, next: number): number => {
    switch (part.kind) {
      case "atom":
        return add({ accepts: part.accepts, next });
      case "assertion":
        hasAssertions = true;
        return add({ to: [next], holds: part.holds });
      case "sequence":
        return part.parts.reduceRight((after, one) => compile(one, after), next);
      case "choice":
        return add({ to: part.parts.map((one) => compile(one, next)) });
      case "repeat":
        return repeat(part.part, part.least, part.most, next);
    }
  };
  const repeat = (part: Tree, least: number, most: number, next: number): number => {
    let at = next;
    if (most === Number.POSITIVE_INFINITY) {
      const to = [next];
      at = add({ to });
      to.push(compile(part, at));
    } else for (let i = least; i < most; i++) at = add({ to: [next, compile(part, at)] });
    for (let i = 0; i < least; i++) at = compile(part, at);
    return at;
  };
  const start = compile(tree, END);
  return { states, start, hasAssertions };
}
