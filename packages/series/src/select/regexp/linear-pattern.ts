/**
 * Matches a JavaScript regular expression with whole texts, in time linear in the text: all alternatives are followed at once, where the
 * engine tries one after the other. So `(a+)+$` cannot block the process. Lookarounds and references to groups are refused.
 */
import { parsePattern } from "./parse.js";
import { compileTree, END, type Program } from "./program.js";
import { EDGE } from "./tree.js";

/** Maximum size of the memory of known sets, in numbers. It is then built again. */
const MAX_MEMORY = 500_000;
/** The character after the last one. */
const NONE = -1;

/** The states in which the automaton may be at a position. */
interface StateSet {
  readonly states: readonly number[];
  /** The bits of the character before the position; 0 without assertions. */
  readonly before: number;
  /** The set after each character. */
  readonly next: Map<number, StateSet>;
  /** True if a text may end here; undefined before the first that does. */
  isEnd: boolean | undefined;
}

/** A regular expression. */
export class LinearPattern {
  readonly #program: Program;
  readonly #isUnicode: boolean;
  readonly #bitsOf: (character: number) => number;
  #sets = new Map<string, StateSet>();
  #memory = 0;
  /** The last position at which each state was visited, by the number of the step. */
  readonly #visited: Float64Array;
  readonly #added: Float64Array;
  #step = 0;

  /** Throws `ERR_INVALID_ARGUMENT` for patterns that are not matched in linear time, or are too large. */
  constructor(pattern: RegExp) {
    const { tree, isUnicode, bitsOf } = parsePattern(pattern);
    this.#program = compileTree(tree);
    this.#isUnicode = isUnicode;
    this.#bitsOf = bitsOf;
    this.#visited = new Float64Array(this.#program.states.length);
    this.#added = new Float64Array(this.#program.states.length);
  }

  /** True if the whole text matches. */
  test(text: string): boolean {
    const { start, hasAssertions } = this.#program;
    let set = this.#known([start], hasAssertions ? EDGE : 0);
    for (let i = 0; i < text.length && set.states.length > 0; i++) {
      const character = this.#isUnicode ? text.codePointAt(i)! : text.charCodeAt(i);
      if (character > 0xffff) i++;
      set = set.next.get(character) ?? this.#after(set, character);
    }
    return (set.isEnd ??= this.#reach(set, NONE, EDGE).isEnd);
  }

  #after(set: StateSet, character: number): StateSet {
    const bits = this.#program.hasAssertions ? this.#bitsOf(character) : 0;
    const { states } = this.#reach(set, character, bits);
    const next = this.#known(
      states.sort((a, b) => a - b),
      bits,
    );
    set.next.set(character, next);
    this.#memory++;
    return next;
  }

  /** Follows all states up to a character. Returns the states after it, and whether the match ends before it. */
  #reach({ states: from, before }: StateSet, character: number, after: number): { states: number[]; isEnd: boolean } {
    const { states } = this.#program;
    const step = ++this.#step;
    const visited = this.#visited;
    const added = this.#added;
    const reached: number[] = [];
    const stack = [...from];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (visited[at] === step) continue;
      visited[at] = step;
      const state = states[at]!;
      if (state.accepts === undefined) {
        if (state.holds === undefined || state.holds(before, after)) stack.push(...state.to);
      } else if (character !== NONE && added[state.next] !== step && state.accepts(character)) {
        added[state.next] = step;
        reached.push(state.next);
      }
    }
    return { states: reached, isEnd: visited[END] === step };
  }

  #known(states: readonly number[], before: number): StateSet {
    const key = `${before}:${states.join()}`;
    let set = this.#sets.get(key);
    if (set !== undefined) return set;
    if (this.#memory > MAX_MEMORY) {
      this.#sets = new Map();
      this.#memory = 0;
    }
    set = { states, before, next: new Map(), isEnd: undefined };
    this.#sets.set(key, set);
    this.#memory += 2 * states.length + 16;
    return set;
  }
}
