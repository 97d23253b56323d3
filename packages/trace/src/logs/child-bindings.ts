/**
 * The fields of pino's child loggers. Pino keeps them as JSON in front of each line, so that a field of the same name from a
 * mixin would stand in the line twice, and readers would take the mixin's.
 */
import type { FieldNames } from "./keys.js";

/** How pino describes the symbol under which a logger keeps the JSON of its fields: `,"name":"value"`. */
const DESCRIPTION = "pino.chindings";

/** Finds the fields that a logger has of its own. */
export class ChildBindings {
  readonly #names: readonly { readonly name: string; readonly json: string }[];
  /** Undefined: not found yet. There is one of it in each copy of pino, so there is one here for each mixin. */
  #symbol: symbol | undefined;
  /** The JSON that was read last, and those of our names that it has: most lines are of the logger of the line before. */
  #json: unknown = "";
  #taken: readonly string[] = [];

  constructor({ requestId, traceId, spanId }: FieldNames) {
    const used = [requestId, traceId, spanId].filter((name) => name !== undefined);
    this.#names = used.map((name) => ({ name, json: `${JSON.stringify(name)}:` }));
  }

  /** Removes the fields that the logger has already. */
  removeFrom(fields: Record<string, unknown>, logger: object): void {
    this.#symbol ??= Object.getOwnPropertySymbols(logger).find(({ description }) => description === DESCRIPTION);
    if (this.#symbol === undefined) return;
    const json = (logger as Record<symbol, unknown>)[this.#symbol];
    if (json !== this.#json) this.#read(json);
    const taken = this.#taken;
    for (let i = 0; i < taken.length; i++) delete fields[taken[i]!];
  }

  /** Finds the names that a logger's JSON has. */
  #read(json: unknown): void {
    this.#json = json;
    // The search also finds fields of objects within: only then the JSON is parsed.
    this.#taken =
      typeof json === "string"
        ? this.#names.filter(({ name, json: key }) => json.includes(key) && isField(json, name)).map(({ name }) => name)
        : [];
  }
}

function isField(json: string, name: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(`{${json.slice(1)}}`) as object, name);
  } catch {
    return false; // a custom serializer made it
  }
}
