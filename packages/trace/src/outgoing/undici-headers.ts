/** The forms of headers that undici accepts: flat arrays, objects, iterables of pairs. */
import type { HeaderLine } from "./headers.js";

/** Headers of a request. An iterable, which may be readable only once, becomes an array. */
export class UndiciHeaders {
  readonly #names = new Set<string>();
  readonly #given: unknown[] | Record<string, unknown>;

  constructor(headers: unknown) {
    if (headers === undefined || headers === null) {
      this.#given = {};
    } else if (Array.isArray(headers)) {
      this.#given = headers as unknown[];
    } else if (isIterable(headers)) {
      this.#given = [...headers].flatMap((pair) => [pair[0], pair[1]]);
    } else {
      this.#given = headers as Record<string, unknown>;
    }
    if (Array.isArray(this.#given)) this.#readArray(this.#given);
    else for (const name of Object.keys(this.#given)) this.#names.add(name.toLowerCase());
  }

  /** True if the request has a header. */
  has(lowerCaseName: string): boolean {
    return this.#names.has(lowerCaseName);
  }

  /** Returns the headers with others added. An object stays an object: agents for proxies read its properties. */
  with(lines: readonly HeaderLine[]): unknown[] | Record<string, unknown> {
    if (lines.length === 0) return this.#given;
    return Array.isArray(this.#given)
      ? [...this.#given, ...lines.flat()]
      : { ...this.#given, ...Object.fromEntries(lines) };
  }

  #readArray(list: readonly unknown[]): void {
    for (let i = 0; i < list.length; i += 2) {
      const name = list[i];
      if (typeof name === "string" || name instanceof Uint8Array)
        this.#names.add(
          Buffer.from(name as string)
            .toString("latin1")
            .toLowerCase(),
        );
    }
  }
}

function isIterable(headers: unknown): headers is Iterable<[unknown, unknown]> {
  return typeof (headers as Partial<Iterable<unknown>>)[Symbol.iterator] === "function";
}
