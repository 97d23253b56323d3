/** Compiles the tree of a regular expression to the states of an automaton (Thompson's construction). */
import { invalidArgument, type MoonpackError } from "moonpack/bytes";
import type { Assertion, Atom, Tree } from "./tree.js";

/** Maximum number of states: each character of a text costs at most this many steps. */
const MAX_STATES = 10_000;
/** Maximum number of compiled parts. A part that is repeated counts each time, also an empty one, which has no state. */
const MAX_PARTS = 10 * MAX_STATES;

/** A state. */
export type State =
  /** Continues after a character. */
  | { readonly accepts: Atom; readonly next: number }
  /** Continues without a character, at positions where the assertion holds. */
  | { readonly accepts: undefined; readonly to: readonly number[]; readonly holds: Assertion | undefined };

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
  const states: State[] = [];
  const add = (state: State): number => {
    if (states.length === MAX_STATES) throw tooLarge();
    return states.push(state) - 1;
  };
  const branch = (to: readonly number[], holds?: Assertion) => add({ accepts: undefined, to, holds });
  branch([]);
  let hasAssertions = false;
  let parts = 0;
  /** Returns the state in which a part starts; after it the automaton is in state `next`. */
  const compile = (part: Tree, next: number): number => {
    if (++parts > MAX_PARTS) throw tooLarge();
    switch (part.kind) {
      case "atom":
        return add({ accepts: part.accepts, next });
      case "assertion":
        hasAssertions = true;
        return branch([next], part.holds);
      case "sequence":
        return part.parts.reduceRight((after, one) => compile(one, after), next);
      case "choice":
        return branch(part.parts.map((one) => compile(one, next)));
      case "repeat":
        return repeat(part.part, part.least, part.most, next);
    }
  };
  const repeat = (part: Tree, least: number, most: number, next: number): number => {
    let at = next;
    if (most === Number.POSITIVE_INFINITY) {
      const to = [next];
      at = branch(to);
      to.push(compile(part, at));
    } else for (let i = least; i < most; i++) at = branch([next, compile(part, at)]);
    for (let i = 0; i < least; i++) at = compile(part, at);
    return at;
  };
  const start = compile(tree, END);
  return { states, start, hasAssertions };
}

function tooLarge(): MoonpackError {
  return invalidArgument(`a regular expression is too large: more than ${MAX_STATES} characters and branches`);
}
