/** The parts of a JavaScript regular expression, as a tree. */

/** Bits for the character before or after a position. */
export const EDGE = 1;
export const LINE_BREAK = 2;
export const WORD = 4;

/** A condition of a position, from the bits before and after it. */
export type Assertion = (before: number, after: number) => boolean;
/** True for characters that an atom matches: code points with the flags u and v, otherwise code units. */
export type Atom = (character: number) => boolean;

/** A part of a regular expression. */
export type Tree =
  | { readonly kind: "atom"; readonly accepts: Atom }
  | { readonly kind: "assertion"; readonly holds: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly Tree[] }
  | { readonly kind: "choice"; readonly parts: readonly Tree[] }
  | { readonly kind: "repeat"; readonly part: Tree; readonly least: number; readonly most: number };
