/** `@moonpack/load`: a load runner for anything that JavaScript can call. */

export { LOAD_ERROR_CODES, type LoadErrorCode } from "./errors.js";
export { compare, load } from "./load.js";
export type { Distribution, LoadOptions, Scenario } from "./options/options.js";
export type { Payload } from "./options/payload.js";
export type { Progress } from "./options/progress.js";
export type { Ramp } from "./options/ramp.js";
export { fromJson, toJson } from "./report/json.js";
export { toMarkdown } from "./report/markdown.js";
export { type Report, type ReportTable, toReport } from "./report/report.js";
export { toSvg } from "./report/svg.js";
export type {
  Comparison,
  ErrorCounts,
  LoadResult,
  Machine,
  Percentiles,
  Ratios,
  ResultOptions,
  RoundResult,
  Spread,
  Summary,
} from "./result.js";
export type { Context, Operation, OperationNames, Target } from "./target.js";
