/** Asks a server, and takes the times. */
import type { Query } from "./data.js";

/** The times of a query in milliseconds, and its result. */
export interface Asked {
  readonly times: readonly number[];
  readonly result: unknown;
}

/** Asks a query a number of times, after once without a measurement. */
export async function ask(url: string, { path, parameters }: Query, rounds: number): Promise<Asked> {
  const times: number[] = [];
  let result: unknown;
  for (let round = -1; round < rounds; round++) {
    const start = performance.now();
    const answer = await fetch(url + path, { method: "POST", body: new URLSearchParams(parameters) });
    const text = await answer.text();
    if (round >= 0) times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`${url}${path}: ${answer.status} ${text}`);
    result = JSON.parse(text).data.result;
  }
  return { times, result };
}
