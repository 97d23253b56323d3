/** The types of operations.mjs, for the tests. */

export interface OperationPoint {
  readonly metric: number;
  readonly time: number;
  readonly value: number;
}

export type WriterOperation =
  | { readonly kind: "write" | "scrape" | "column"; readonly points: readonly OperationPoint[] }
  | { readonly kind: "delete"; readonly metric: number; readonly from: number; readonly to: number }
  | { readonly kind: "forget"; readonly metric: number }
  | { readonly kind: "flush" | "compact" | "backup" };

export const CLIENTS: number;
export const METRICS: number;
export const HOUR: number;
export const START: number;
export function clockAt(number: number): number;
export function metricOf(
  client: number,
  metric: number,
): { readonly name: string; readonly tags: Readonly<Record<string, string>>; readonly type: "float" | "int64" };
export function operationOf(client: number, number: number): WriterOperation;
