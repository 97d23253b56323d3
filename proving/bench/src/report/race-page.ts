import { meanRatio } from "../measure/statistics.js";
import { findCell, losses, playersOf, ratio, ratioToBestRival, standardRivals } from "../race/query.js";
import type { RaceResult } from "../race/race.js";
import type { Operation } from "../types.js";
import { pageHead } from "./head.js";
import { formatCount, formatRatio, formatTime, table, textTable } from "./table.js";

const VERBS: Record<Operation, string> = { decode: "Decoding", encode: "Encoding" };
const INPUTS = { uint8array: "plain Uint8Arrays", buffer: "Node Buffers" };

/** The page of a race: ratios, spread, sizes, our standing, and all rows that we lose. */
export function racePage(title: string, result: RaceResult): string {
  const operations = [...new Set(result.cells.map(({ operation }) => operation))];
  const baseline = playerTitle(result, result.baselines[0]!);
  return [
    pageHead(title, result, [
      `Speed as a multiple of ${baseline}'s: bigger is faster; differences below 15 % are noise.`,
      `Medians of ${result.rounds} interleaved rounds in rotating order in ${result.processes === 1 ? "one process" : `each of ${result.processes} processes`};`,
      `inputs are ${INPUTS[result.input]} cut from 64 KiB chunks, none decoded twice; every result was compared before timing.`,
      "Bold: the fastest standard MessagePack codec of the row.",
    ]),
    ...operations.flatMap((operation) => operationSection(result, operation)),
    ...(operations.includes("encode") ? ["## Bytes per message", "", bytesTable(result), ""] : []),
    whereOthersWin(result),
    "## The players",
    "",
    ...result.players.flatMap(({ title: name, note }) => (note === undefined ? [] : [`- **${name}**: ${note}`])),
    "",
  ].join("\n");
}

/** Ratios to the first baseline: a row for each workload, with the fastest standard codec in bold. */
export function ratioTable(result: RaceResult, operation: Operation, players: readonly string[]): string {
  return table(
    ["", ...players.map((id) => playerTitle(result, id))],
    result.workloads.map(({ id: workload, title }) => {
      const best = fastestStandard(result, operation, workload, players);
      return [
        title,
        ...players.map((player) => {
          const value = ratio(result, operation, workload, player);
          if (value === undefined) return refusalMark(result, operation, workload, player);
          return player === best ? `**${formatRatio(value)}**` : formatRatio(value);
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
    playerTitle(result, rival),
    formatRatio(factor),
  ]);
  const shared = losses(result, "encode", "moonpack-shared");
  const encoding = losses(result, "encode", "moonpack").map(({ workload, rival, factor }) => [
    names.get(workload)!,
    playerTitle(result, rival),
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
  if (playersOf(result, operation).length === 0) return [];
  return [rows.length > 0 ? table(head, rows) : `${VERBS[operation]}: nowhere.`, ""];
}

function operationSection(result: RaceResult, operation: Operation): string[] {
  const players = playersOf(result, operation).map(({ id }) => id);
  return [
    `## ${VERBS[operation]}`,
    "",
    ratioTable(result, operation, players),
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
  const ours = playersOf(result, operation).filter((player) => player.ours);
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
  const means = (of: (workload: string, player: string) => number | undefined) =>
    ours.map(({ id: player }) => formatMean(result.workloads.flatMap(({ id }) => of(id, player) ?? [])));
  const toFirst = means((workload, player) => ratio(result, operation, workload, player, first));
  const toSecond = means((workload, player) => ratio(result, operation, workload, player, second));
  const toBest = means((workload, player) => ratioToBestRival(result, operation, workload, player));
  const head = ours.flatMap(({ title }) => [`${title} / ${playerTitle(result, second!)}`, "/ best rival"]);
  return [
    table(
      ["", `${ours[0]!.title}, time`, "first", ...head],
      [...rows, ["geometric mean", "", "", ...ours.flatMap((_, index) => [toSecond[index]!, toBest[index]!])]],
    ),
    "",
    `Geometric means to ${playerTitle(result, first!)}: ${ours.map(({ title }, index) => `${title} ${toFirst[index]}`).join(", ")}.`,
  ].join("\n");
}

function formatMean(ratios: readonly number[]): string {
  return ratios.length === 0 ? "" : formatRatio(meanRatio(ratios));
}

function bytesTable(result: RaceResult): string {
  const players = playersOf(result, "encode").filter(
    ({ format, ours, id }) => format !== "json-text" && (!ours || id === "moonpack"),
  );
  return table(
    ["", ...players.map(({ title }) => title)],
    result.workloads.map(({ id: workload, title }) => [
      title,
      ...players.map(({ id }) => {
        const bytes = findCell(result, "encode", workload, id)?.bytes;
        return bytes === undefined ? "" : formatCount(bytes);
      }),
    ]),
  );
}

function refusals(result: RaceResult, operation: Operation): string[] {
  const rows = result.cells
    .filter((cell) => cell.operation === operation && cell.refusal !== undefined)
    .map((cell) => [playerTitle(result, cell.player), cell.workload, cell.refusal!]);
  return rows.length === 0 ? [] : ["Not timed:", "", textTable(["who", "workload", "why"], rows), ""];
}

function fastestStandard(
  result: RaceResult,
  operation: Operation,
  workload: string,
  players: readonly string[],
): string | undefined {
  const standard = players.filter((id) => result.players.find((player) => player.id === id)?.format === "msgpack");
  const speeds = standard.map((id) => ratio(result, operation, workload, id) ?? 0);
  return standard[speeds.indexOf(Math.max(...speeds))];
}

/** Our main row and the standard rivals. */
function fastestName(result: RaceResult, operation: Operation, workload: string): string {
  const first = fastestStandard(result, operation, workload, ["moonpack", ...standardRivals(result)]);
  return first === undefined ? "" : playerTitle(result, first);
}

function refusalMark(result: RaceResult, operation: Operation, workload: string, player: string): string {
  const refused = result.cells.some(
    (cell) =>
      cell.operation === operation &&
      cell.workload === workload &&
      cell.player === player &&
      cell.refusal !== undefined,
  );
  return refused ? "differs" : "";
}

function playerTitle(result: RaceResult, id: string): string {
  return result.players.find((player) => player.id === id)?.title ?? id;
}

function formatOptional(value: number | undefined): string {
  return value === undefined ? "" : formatRatio(value);
}
