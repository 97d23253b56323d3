// Claims: assumptions of the code about V8, as data. Each names a figure and the bound that it must keep:
//
//   text     the claim, a sentence
//   file     the file whose choice it supports; `code`: text in that file, so that neither changes without the other
//   figure   the id of a measured figure; the claim has the figure's kind (counted or timed)
//   is       the exact value; or `about` with `within`, a relative tolerance; or `atLeast`; or `atMost`; exactly one of
// these
//   majors   the major versions of Node for which it holds, if not for all
import { existsSync, readFileSync } from "node:fs";
import { MAJORS } from "./list.mjs";

const ROOT = new URL("../../../", import.meta.url);

/** True if a claim has exactly one bound. A bound imported from a module that has lost it is undefined. */
const isBounded = ({ is, about, within, atLeast, atMost }) =>
  [is, about, atLeast, atMost].filter((bound) => bound !== undefined).length === 1 &&
  (about === undefined) === (within === undefined);

/** The bound as text. */
export function boundText(claim) {
  const { is, about, within, atLeast, atMost } = claim;
  if (!isBounded(claim)) return "without a bound";
  if (typeof is === "boolean") return is ? "yes" : "no";
  if (is !== undefined) return `= ${format(is)}`;
  if (about !== undefined) return `= ${format(about)} ± ${within * 100} %`;
  return atLeast !== undefined ? `≥ ${format(atLeast)}` : `≤ ${format(atMost)}`;
}

const format = (value) => value.toLocaleString("en-US");

/** True if a figure keeps a claim's bound. For a timed figure, its median counts. */
export function holds(claim, figure) {
  const value = Array.isArray(figure) ? figure[0] : figure;
  const { is, about, within, atLeast, atMost } = claim;
  if (!isBounded(claim)) return false;
  if (is !== undefined) return value === is;
  if (typeof value !== "number") return false;
  if (about !== undefined) return Math.abs(value - about) <= about * within;
  return atLeast !== undefined ? value >= atLeast : value <= atMost;
}

/** True if a claim applies to a version of Node. */
export function isAbout({ majors = MAJORS }, version) {
  return majors.includes(Number.parseInt(version, 10));
}

/**
 * A line for every claim of a study that the measured figures contradict. `wholeKind` names a kind that was measured completely:
 * a missing figure of that kind contradicts its claim too. A smoke run leaves out long parts.
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

/** A line for each claim whose code has changed, whose figure is not measured, or that has no bound. */
export function unfounded({ name, claims, groups }) {
  const known = new Set(groups.flatMap(({ rows }) => rows.map(([id]) => id)));
  return claims.flatMap((claim) => {
    const { text, file, code, figure } = claim;
    const path = new URL(file, ROOT);
    if (!existsSync(path)) return [`${name}: ${text}: ${file} does not exist`];
    if (code !== undefined && !readFileSync(path, "utf8").includes(code))
      return [
        `${name}: ${text}: ${file} no longer contains ${JSON.stringify(code)}: check whether the claim still holds`,
      ];
    if (!isBounded(claim)) return [`${name}: ${text}: must have exactly one bound`];
    return known.has(figure) ? [] : [`${name}: ${text}: nothing measures ${figure}`];
  });
}
