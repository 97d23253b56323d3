/** The routes that find series, labels and metadata. */
import { recordOf } from "moonpack/bytes";
import { parseMatchers } from "../parse/parse.js";
import { firstItems, type QueryEngine } from "../query/engine.js";
import type { FindRequest, SeriesFinder } from "../store/find.js";
import { invalidParameter, ofParameter, RequestError } from "./errors.js";
import { labelsJson, listJson } from "./json.js";
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

/** Answers with the metadata of metrics. */
export function metadata(known: MetadataByName, parameters: Parameters): Reply {
  const name = parameters.text("metric");
  const limit = parameters.count("limit");
  const own = known.get(name);
  const chosen = name === "" ? [...known] : own === undefined ? [] : [[name, own] as const];
  const { items } = firstItems(chosen, limit);
  return { data: recordOf(items.map(([key, { type, help, unit }]) => [key, [{ type, help, unit }]] as const)) };
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
  const selectors = await ofParameter("match[]", () => parameters.all("match[]").map((text) => parseMatchers(text)));
  const { limit, ...read } = readOf(engine, parameters, signal);
  const found = await engine.read(read, (ends) => run({ selectors, from, to, signal: ends }));
  const { items, warnings } = firstItems(found, limit);
  return { chunks: listJson(mapped(items, jsonOf), warnings) };
}

function* mapped<T>(items: readonly T[], jsonOf: (item: T) => string): Generator<string, void, undefined> {
  for (const item of items) yield jsonOf(item);
}
