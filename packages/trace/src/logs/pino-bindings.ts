/**
 * The fields of pino's child loggers. Pino writes them in front of each line, so a field of the same name from a mixin would stand in
 * the line twice, and readers would take the mixin's.
 */
import type { FieldNames } from "./keys.js";

/** The part of a pino logger that is read. */
interface PinoLogger {
  /** Returns the fields of the logger and its parents. */
  bindings?(): object;
}

/** Finds the fields that a logger already has. */
export class PinoBindings {
  readonly #names: readonly string[];
  /** Our names that a logger has. Read at its first line: \`bindings()\` parses JSON. */
  readonly #taken = new WeakMap<object, readonly string[]>();

  constructor({ requestId, traceId, spanId }: FieldNames) {
    this.#names = [requestId, traceId, spanId].filter((name) => name !== undefined);
  }

  /** Removes the fields that the logger already has. */
  removeFrom(fields: Record<string, unknown>, logger: object): void {
    let taken = this.#taken.get(logger);
    if (taken === undefined) this.#taken.set(logger, (taken = this.#read(logger)));
    for (let i = 0; i < taken.length; i++) delete fields[taken[i]!];
  }

  #read(logger: PinoLogger): readonly string[] {
    try {
      const bindings = logger.bindings?.() ?? {};
      return this.#names.filter((name) => Object.hasOwn(bindings, name));
    } catch {
      return []; // a custom serializer wrote invalid JSON
    }
  }
}
