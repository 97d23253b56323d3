import { meanRatio } from "../measure/statistics.js";
import { candidatesOf, findCell, losses, ratio, ratioToBestRival, standardRivals } from "../race/query.js";
import type { RaceResult } from "../race/race.js";
import type { Operation } from "../types.js";
import { pageHead } from "./head.js";
import { formatCount, formatRatio, formatTime, table, textTable } from "./table.js";

const VERBS: Record<Operation, string> = { decode: "Decoding", encode: "Encoding" };
const INPUTS = { uint8array: "plain Uint8Arrays", buffer: "Node Buffers" };

/** The page of a race: ratios, spread, sizes, our standing, and all rows that we lose. */
export function racePage(title: string, result: RaceResult): string {
  const operations = [...new Set(result.cells.map(({ operation }) => operation))];
  const baseline = candidateTitle(result, result.baselines[0]!);
  return [
    pageHead(title, result, [
      `Speed as a multiple of ${baseline}'s: bigger is faster; differences below 15 % are noise.`,
      `Medians of ${result.rounds} interleaved rounds in ${result.processes === 1 ? "one process" : `each of ${result.processes} processes`};`,
      `inputs are ${INPUTS[result.input]} cut from 64 KiB chunks, none decoded twice; every result was compared before timing.`,
      "Bold: the fastest standard MessagePack codec of the row.",
    ]),
    ...operations.flatMap((operation) => operationSection(result, operation)),
    ...(operations.includes("encode") ? ["## Bytes per message", "", bytesTable(result), ""] : []),
    whereOthersWin(result),
    "## The codecs",
    "",
    ...result.candidates.flatMap(({ title: name, note }) => (note === undefined ? [] : [`- **${name}**: ${note}`])),
    "",
  ].join("\n");
}

/** Ratios to the first baseline: a row for each workload, with the fastest standard codec in bold. */
export function ratioTable(result: RaceResult, operation: Operation, candidates: readonly string[]): string {
  return table(
    ["", ...candidates.map((id) => candidateTitle(result, id))],
    result.workloads.map(({ id: workload, title }) => {
      const best = fastestStandard(result, operation, workload, candidates);
      return [
        title,
        ...candidates.map((candidate) => {
          const value = ratio(result, operation, workload, candidate);
          if (value === undefined) return refusalMark(result, operation, workload, candidate);
          return candidate === best ? `**${formatRatio(value)}**` : formatRatio(value);
        }),
      ];
    }),
  );
}

/** Every row that we lose, in both directions. */
export function whereOthersWin(result: RaceResult): string {
  const names = new Map(result.workloads.map(({ id, title }) => [id, title]));
  const decoding = losses(result, "decode", "moonpack").map(({ workload, rival, factor }) => [
    names.get(workload)!,
    candidateTitle(result, rival),
    formatRatio(factor),
  ]);
  const shared = losses(result, "encode", "moonpack-shared");
  const encoding = losses(result, "encode", "moonpack").map(({ workload, rival, factor }) => [
    names.get(workload)!,
    candidateTitle(result, rival),
    formatRatio(factor),
    formatOptional(shared.find((loss) => loss.workload === workload && loss.rival === rival)?.factor),
  ]);
  return [
    "## Where others win",
    "",
    "Every row in which another library is faster, in any format, with the factor.",
    "",
    ...lossTable(result, "decode", ["Decoding", "who", "than `decode`"], decoding),
    ...lossTable(result, "encode", ["Encoding", "who", "than `encode`", "than `encodeShared`"], encoding),
  ].join("\n");
}

function lossTable(
  result: RaceResult,
  operation: Operation,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  if (candidatesOf(result, operation).length === 0) return [];
  return [rows.length > 0 ? table(head, rows) : `${VERBS[operation]}: nowhere.`, ""];
}

function operationSection(result: RaceResult, operation: Operation): string[] {
  const candidates = candidatesOf(result, operation).map(({ id }) => id);
  return [
    `## ${VERBS[operation]}`,
    "",
    ratioTable(result, operation, candidates),
    "",
    `### ${VERBS[operation]}: where we stand`,
    "",
    standingTable(result, operation),
    "",
    ...refusals(result, operation),
  ];
}

/** Our rows compared with the second baseline and the best rival, and their geometric means. */
function standingTable(result: RaceResult, operation: Operation): string {
  const ours = candidatesOf(result, operation).filter((candidate) => candidate.ours);
  const [first, second] = result.baselines;
  const rows = result.workloads.map(({ id: workload, title }) => [
    title,
    formatTime(findCell(result, operation, workload, ours[0]!.id)?.time?.median ?? Number.NaN),
    fastestName(result, operation, workload),
    ...ours.flatMap(({ id }) => [
      formatOptional(ratio(result, operation, workload, id, second)),
      formatOptional(ratioToBestRival(result, operation, workload, id)),
    ]),
  ]);
  const means = (of: (workload: string, candidate: string) => number | undefined) =>
    ours.map(({ id: candidate }) => formatMean(result.workloads.flatMap(({ id }) => of(id, candidate) ?? [])));
  const toFirst = means((workload, candidate) => ratio(result, operation, workload, candidate, first));
  const toSecond = means((workload, candidate) => ratio(result, operation, workload, candidate, second));
  const toBest = means((workload, candidate) => ratioToBestRival(result, operation, workload, candidate));
  const head = ours.flatMap(({ title }) => [`${title} / ${candidateTitle(result, second!)}`, "/ best rival"]);
  return [
    table(
      ["", `${ours[0]!.title}, time`, "first", ...head],
      [...rows, ["geometric mean", "", "", ...ours.flatMap((_, index) => [toSecond[index]!, toBest[index]!])]],
    ),
    "",
    `Geometric means to ${candidateTitle(result, first!)}: ${ours.map(({ title }, index) => `${title} ${toFirst[index]}`).join(", ")}.`,
  ].join("\n");
}

function formatMean(ratios: readonly number[]): string {
  return ratios.length === 0 ? "" : formatRatio(meanRatio(ratios));
}

function bytesTable(result: RaceResult): string {
  const candidates = candidatesOf(result, "encode").filter(
    ({ format, ours, id }) => format !== "json-text" && (!ours || id === "moonpack"),
  );
  return table(
    ["", ...candidates.map(({ title }) => title)],
    result.workloads.map(({ id: workload, title }) => [
      title,
      ...candidates.map(({ id }) => {
        const bytes = findCell(result, "encode", workload, id)?.bytes;
        return bytes === undefined ? "" : formatCount(bytes);
      }),
    ]),
  );
}

function refusals(result: RaceResult, operation: Operation): string[] {
  const rows = result.cells
    .filter((cell) => cell.operation === operation && cell.refusal !== undefined)
    .map((cell) => [candidateTitle(result, cell.candidate), cell.workload, cell.refusal!]);
  return rows.length === 0 ? [] : ["Not timed:", "", textTable(["who", "workload", "why"], rows), ""];
}

function fastestStandard(
  result: RaceResult,
  operation: Operation,
  workload: string,
  candidates: readonly string[],
): string | undefined {
  const standard = candidates.filter(
    (id) => result.candidates.find((candidate) => candidate.id === id)?.format === "msgpack",
  );
  const speeds = standard.map((id) => ratio(result, operation, workload, id) ?? 0);
  return standard[speeds.indexOf(Math.max(...speeds))];
}

/** Our main row and the standard rivals. */
function fastestName(result: RaceResult, operation: Operation, workload: string): string {
  const first = fastestStandard(result, operation, workload, ["moonpack", ...standardRivals(result)]);
  return first === undefined ? "" : candidateTitle(result, first);
}

function refusalMark(result: RaceResult, operation: Operation, workload: string, candidate: string): string {
  const refused = result.cells.some(
    (cell) =>
      cell.operation === operation &&
      cell.workload === workload &&
      cell.candidate === candidate &&
      cell.refusal !== undefined,
  );
  return refused ? "differs" : "";
}

function candidateTitle(result: RaceResult, id: string): string {
  return result.candidates.find((candidate) => candidate.id === id)?.title ?? id;
}

function formatOptional(value: number | undefined): string {
  return value === undefined ? "" : formatRatio(value);
}
