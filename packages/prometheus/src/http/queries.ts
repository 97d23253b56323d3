/** The routes that evaluate queries. */
import { parseRequest } from "../parse/parse.js";
import { formatRequest } from "../parse/pretty.js";
import type { QueryEngine } from "../query/engine.js";
import type { ReadSettings } from "../query/options.js";
import { invalidParameter, ofParameter } from "./errors.js";
import { resultJson } from "./json.js";
import type { Reply } from "./messages.js";
import type { Parameters } from "./parameters.js";

/** Answers a query at one time. */
export async function query(engine: QueryEngine, parameters: Parameters, signal: AbortSignal): Promise<Reply> {
  const start = parameters.time("time", engine.settings.now());
  return evaluate(engine, parameters, { start, end: start, step: 0 }, signal);
}

/** Answers a query over a range of time. */
export async function queryRange(engine: QueryEngine, parameters: Parameters, signal: AbortSignal): Promise<Reply> {
  const start = parameters.requiredTime("start");
  const end = parameters.requiredTime("end");
  if (end < start) throw invalidParameter("end", "end timestamp must not be before start time");
  const step = Math.round(parameters.requiredDuration("step"));
  if (step <= 0) {
    const text = "zero or negative query resolution step widths are not accepted. Try a positive integer";
    throw invalidParameter("step", text);
  }
  return evaluate(engine, parameters, { start, end, step }, signal);
}

/** Answers with a query in readable form. */
export async function formatQuery(parameters: Parameters): Promise<Reply> {
  return { data: await ofParameter("query", () => formatRequest(parseRequest(parameters.text("query")))) };
}

async function evaluate(
  engine: QueryEngine,
  parameters: Parameters,
  times: { readonly start: number; readonly end: number; readonly step: number },
  signal: AbortSignal,
): Promise<Reply> {
  const lookback = parameters.duration("lookback_delta");
  if (lookback !== undefined && lookback < 1) throw invalidParameter("lookback_delta", "a positive duration is needed");
  const request = {
    text: parameters.text("query"),
    ...times,
    lookback: lookback === undefined ? undefined : Math.ceil(lookback),
    ...readOf(engine, parameters, signal),
  };
  const result = await ofParameter("query", () => engine.evaluate(request));
  return { chunks: resultJson(result) };
}

/** Returns the options that all questions have. */
export function readOf({ settings }: QueryEngine, parameters: Parameters, signal: AbortSignal): ReadSettings {
  const timeout = parameters.duration("timeout") ?? settings.timeout;
  if (timeout < 0) throw invalidParameter("timeout", "a duration must not be negative");
  return { timeout: Math.min(timeout, settings.timeout), limit: parameters.count("limit"), signal };
}
