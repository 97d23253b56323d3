// Claims: what the code takes for granted of V8, as data. Each names a figure and what it has to be:
//
//   text     what is claimed, a sentence
//   file     whose choice it backs; `code`: what that file has to contain, so that nobody changes the one without the other
//   figure   the id of what is measured, of whose kind (counted or timed) the claim is
//   is       it is that; or `about` with `within`, a part of it; or `atLeast`; or `atMost`; one of these
//   majors   of Node, where it does not hold everywhere
import { existsSync, readFileSync } from "node:fs";
import { MAJORS } from "./list.mjs";

const ROOT = new URL("../../../", import.meta.url);

/** Does a claim have one bound? What a bound is imported from may have gone, which leaves it undefined. */
const isBounded = ({ is, about, within, atLeast, atMost }) =>
  [is, about, atLeast, atMost].filter((bound) => bound !== undefined).length === 1 &&
  (about === undefined) === (within === undefined);

/** The bound in words. */
export function boundText(claim) {
  const { is, about, within, atLeast, atMost } = claim;
  if (!isBounded(claim)) return "without a bound";
  if (typeof is === "boolean") return is ? "yes" : "no";
  if (is !== undefined) return `= ${format(is)}`;
  if (about !== undefined) return `= ${format(about)} ± ${within * 100} %`;
  return atLeast !== undefined ? `≥ ${format(atLeast)}` : `≤ ${format(atMost)}`;
}

const format = (value) => value.toLocaleString("en-US");

/** Does a figure keep to a claim's bound? Of a timed one, its median. */
export function holds(claim, figure) {
  const value = Array.isArray(figure) ? figure[0] : figure;
  const { is, about, within, atLeast, atMost } = claim;
  if (!isBounded(claim)) return false;
  if (is !== undefined) return value === is;
  if (typeof value !== "number") return false;
  if (about !== undefined) return Math.abs(value - about) <= about * within;
  return atLeast !== undefined ? value >= atLeast : value <= atMost;
}

/** Is a version of Node one that a claim speaks of? */
export function isAbout({ majors = MAJORS }, version) {
  return majors.includes(Number.parseInt(version, 10));
}

/**
 * Every claim of a study that measured figures contradict, a line each. Where all of a kind was measured, `wholeKind` names
 * it, and a figure that is absent contradicts its claim too; a smoke run leaves out long parts.
 */
export function broken({ claims, groups }, { nodes }, wholeKind = undefined) {
  const needed = new Set(
    groups
      .filter(({ kind }) => wholeKind !== undefined && kind === wholeKind)
      .flatMap(({ rows }) => rows.map(([id]) => id)),
  );
  return nodes.flatMap(({ node, figures }) =>
    claims
      .filter((claim) => isAbout(claim, node) && (claim.figure in figures || needed.has(claim.figure)))
      .filter((claim) => !holds(claim, figures[claim.figure]))
      .map(
        (claim) =>
          `Node ${node}: ${claim.text} (${claim.file}): ${claim.figure} is ${JSON.stringify(figures[claim.figure]) ?? "absent"}, claimed ${boundText(claim)}`,
      ),
  );
}

/** Claims about code that is no longer what it was, of figures that nothing measures, and without a bound, a line each. */
export function unfounded({ name, claims, groups }) {
  const known = new Set(groups.flatMap(({ rows }) => rows.map(([id]) => id)));
  return claims.flatMap((claim) => {
    const { text, file, code, figure } = claim;
    const path = new URL(file, ROOT);
    if (!existsSync(path)) return [`${name}: ${text}: ${file} is not there`];
    if (code !== undefined && !readFileSync(path, "utf8").includes(code))
      return [`${name}: ${text}: ${file} no longer contains ${JSON.stringify(code)}: look at the claim anew`];
    if (!isBounded(claim)) return [`${name}: ${text}: has to have one bound`];
    return known.has(figure) ? [] : [`${name}: ${text}: nothing measures ${figure}`];
  });
}
