// Pages: docs/studies/NAME.md is written by hand, except for two places that are rendered from the result file.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fillPlace } from "@moonpack/tools/generated-places";
import { formatCount, formatRatio, formatTime, table, textTable } from "../dist/report/table.js";
import { resultText } from "../dist/result-text.js";
import { boundText, holds, isAbout } from "./claims.mjs";
import { MAJORS } from "./list.mjs";

const ROOT = new URL("../../../", import.meta.url);
const resultFile = (name) => new URL(`proving/bench/results/studies/${name}.json`, ROOT);
const pageFile = (name) => new URL(`docs/studies/${name}.md`, ROOT);
const KINDS = ["counted", "timed"];
/** Short enough that each figure has its own line in a result file. */
const FIGURE_LINE = 80;

/** The measured kinds: `{ counted?, timed? }`. */
export function readResult(name) {
  const file = resultFile(name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function writeResult(name, result) {
  writeFileSync(resultFile(name), resultText(result, FIGURE_LINE));
}

/** The page with its generated places filled. */
export function renderPage(study) {
  const result = readResult(study.name);
  const text = readFileSync(pageFile(study.name), "utf8");
  const claimed = fillPlace(text, "claims", `\n${claimsText(study, result)}\n`);
  return fillPlace(claimed, "figures", `\n${figuresText(study, result)}\n`);
}

export function writePage(study) {
  writeFileSync(pageFile(study.name), renderPage(study));
}

export function isStale(study) {
  return readFileSync(pageFile(study.name), "utf8") !== renderPage(study);
}

function figuresText({ name, groups }, result) {
  const origin = KINDS.map((kind) => {
    const measured = result[kind];
    if (measured === undefined) return `Nothing has been ${kind} yet.`;
    const { date, machine, nodes } = measured;
    return `${kind[0].toUpperCase()}${kind.slice(1)} ${date} on ${machine}: Node ${nodes.map(({ node }) => node).join(", ")}.`;
  });
  return [
    `${origin.join(" ")} Measured by \`npm run bench -- studies ${name}\`.`,
    ...groups.flatMap((group) => ["", `### ${group.title}`, "", group.text, "", groupTable(group, result[group.kind])]),
  ].join("\n");
}

/** Rows that no version has are left out, unless nothing of the table was measured. */
function groupTable({ rows }, measured) {
  const versions = measured?.nodes ?? [];
  const head =
    measured === undefined ? MAJORS.map((major) => `Node ${major}`) : versions.map(({ node }) => `Node ${node}`);
  return table(
    ["", ...head],
    rows
      .filter(([id]) => measured === undefined || versions.some(({ figures }) => id in figures))
      .map(([id, title, unit]) => [
        title,
        ...(measured === undefined ? MAJORS.map(() => "–") : versions.map(({ figures }) => cell(figures[id], unit))),
      ]),
  );
}

const FORMATS = { bytes: formatCount, count: formatCount, ratio: formatRatio, time: formatTime };

function cell(figure, unit) {
  if (figure === undefined) return "–";
  if (typeof figure === "boolean") return figure ? "yes" : "no";
  if (typeof figure === "string") return figure;
  const format = FORMATS[unit];
  if (!Array.isArray(figure)) return format(figure);
  const [median, low, high] = figure;
  return unit === "time" ? format(median) : `${format(median)} (${format(low)}..${format(high)})`;
}

function claimsText({ claims, groups }, result) {
  const known = new Map(
    groups.flatMap(({ kind, rows }) => rows.map(([id, title, unit]) => [id, { kind, title, unit }])),
  );
  const lines = claims.map((claim) => {
    const { kind, title, unit } = known.get(claim.figure);
    return [
      claim.text,
      `\`${claim.file}\``,
      `${kind}: ${title}${typeof claim.is === "boolean" && !title.endsWith("?") ? ":" : ""} ${boundText(claim)}`,
      ...MAJORS.map((major) => verdict(claim, unit, result[kind]?.nodes, major)),
    ];
  });
  return textTable(["claim", "backs", "checked", ...MAJORS.map((major) => `Node ${major}`)], lines);
}

function verdict(claim, unit, nodes, major) {
  const measured = nodes?.find(({ node }) => Number.parseInt(node, 10) === major);
  const figure = measured?.figures[claim.figure];
  if (figure === undefined) return "–";
  const shown = cell(Array.isArray(figure) ? figure[0] : figure, unit);
  if (!isAbout(claim, measured.node)) return `not claimed (${shown})`;
  return holds(claim, figure) ? shown : `**does not hold**: ${shown}`;
}
