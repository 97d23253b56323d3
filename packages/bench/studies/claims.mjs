// Claims: what the code takes for granted of V8, as data. Each names a figure and what it has to be:
//
//   text     what is claimed, a sentence
//   file     whose choice it backs; `code`: what that file has to contain, so that nobody changes the one without the other
//   figure   the id of what is measured, of whose kind (counted or timed) the claim is
//   is       it is that; or `about` with `within`, a part of it; or `atLeast`; or `atMost`
//   majors   of Node, where it does not hold everywhere
import { existsSync, readFileSync } from "node:fs";
import { MAJORS } from "./list.mjs";

const ROOT = new URL("../../../", import.meta.url);

/** The bound in words. */
export function boundText({ is, about, within, atLeast, atMost }) {
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
  if (is !== undefined) return value === is;
  if (about !== undefined) return Math.abs(value - about) <= about * within;
  return atLeast !== undefined ? value >= atLeast : value <= atMost;
}

/** Is a version of Node one that a claim speaks of? */
export function isAbout({ majors = MAJORS }, version) {
  return majors.includes(Number.parseInt(version, 10));
}

/** Every claim of a study that measured figures contradict, a line each. */
export function broken({ claims }, { nodes }) {
  return nodes.flatMap(({ node, figures }) =>
    claims
      .filter((claim) => isAbout(claim, node) && claim.figure in figures && !holds(claim, figures[claim.figure]))
      .map(
        (claim) =>
          `Node ${node}: ${claim.text} (${claim.file}): ${claim.figure} is ${JSON.stringify(figures[claim.figure])}, claimed ${boundText(claim)}`,
      ),
  );
}

/** Claims about code that is no longer what it was, and claims of figures that nothing measures, a line each. */
export function unfounded({ name, claims, groups }) {
  const known = new Set(groups.flatMap(({ rows }) => rows.map(([id]) => id)));
  return claims.flatMap(({ text, file, code, figure }) => {
    const path = new URL(file, ROOT);
    if (!existsSync(path)) return [`${name}: ${text}: ${file} is not there`];
    if (code !== undefined && !readFileSync(path, "utf8").includes(code))
      return [`${name}: ${text}: ${file} no longer contains ${JSON.stringify(code)}: look at the claim anew`];
    return known.has(figure) ? [] : [`${name}: ${text}: nothing measures ${figure}`];
  });
}
