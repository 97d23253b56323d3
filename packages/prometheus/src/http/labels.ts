/** The routes that find series, labels and metadata. */
import { firstItems, type QueryEngine } from "../query/engine.js";
import type { FindRequest, SeriesFinder } from "../store/find.js";
import { invalidParameter, ofParameter, RequestError } from "./errors.js";
import { labelsJson, listJson, objectJson } from "./json.js";
import { unescapedName } from "./label-name.js";
import type { Reply } from "./messages.js";
import type { Parameters } from "./parameters.js";
import { readOf } from "./queries.js";

/** The metadata of metrics, by name. */
export type MetadataByName = ReadonlyMap<
  string,
  { readonly type: string; readonly help: string; readonly unit: string }
>;

/** The parts that these routes need. */
export interface LabelParts {
  readonly engine: QueryEngine;
  readonly finder: SeriesFinder;
}

/** Answers with the labels of series. */
export function series(parts: LabelParts, parameters: Parameters, signal: AbortSignal): Promise<Reply> {
  if (parameters.all("match[]").length === 0)
    throw new RequestError(["bad_data", 400], "no match[] parameter provided");
  return find(parts, parameters, signal, (request) => parts.finder.series(request), labelsJson);
}

/** Answers with the names of labels. */
export function labelNames(parts: LabelParts, parameters: Parameters, signal: AbortSignal): Promise<Reply> {
  return find(parts, parameters, signal, (request) => parts.finder.names(request), JSON.stringify);
}

/** Answers with the values of a label. `escaped` is its name as the path has it. */
export function labelValues(
  parts: LabelParts,
  escaped: string,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<Reply> {
  const name = unescapedName(escaped);
  if (name === "") throw new RequestError(["bad_data", 400], 'invalid label name: ""');
  return find(parts, parameters, signal, (request) => parts.finder.values(name, request), JSON.stringify);
}

/**
 * Answers with the metadata of metrics. As in Prometheus, `limit` is the most names, and may be 0. `limit_per_metric` is the most entries of a
 * name, 0 for all: each name has one.
 */
export function metadata(known: MetadataByName, parameters: Parameters): Reply {
  const name = parameters.text("metric");
  const limit = parameters.integer("limit") ?? -1;
  parameters.integer("limit_per_metric");
  const own = known.get(name);
  const chosen = name === "" ? [...known] : own === undefined ? [] : [[name, own] as const];
  const items = limit < 0 ? chosen : chosen.slice(0, limit);
  const jsonOf = ([key, { type, help, unit }]: (typeof items)[number]): string =>
    `${JSON.stringify(key)}:[${JSON.stringify({ type, help, unit })}]`;
  return { chunks: objectJson(mapped(items, jsonOf)) };
}

async function find<T>(
  { engine }: LabelParts,
  parameters: Parameters,
  signal: AbortSignal,
  run: (request: FindRequest) => Promise<readonly T[]>,
  jsonOf: (item: T) => string,
): Promise<Reply> {
  const from = parameters.time("start");
  const to = parameters.time("end");
  if (from !== undefined && to !== undefined && to < from)
    throw invalidParameter("end", "end timestamp must not be before start time");
  const match = parameters.all("match[]");
  const { limit, ...read } = readOf(engine, parameters, signal);
  const found = await ofParameter("match[]", () => engine.read(read, (ends) => run({ match, from, to, signal: ends })));
  const { items, warnings } = firstItems(found, limit);
  return { chunks: listJson(mapped(items, jsonOf), warnings) };
}

function* mapped<T>(items: readonly T[], jsonOf: (item: T) => string): Generator<string, void, undefined> {
  for (const item of items) yield jsonOf(item);
}
