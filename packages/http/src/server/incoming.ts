/** A request, independent of the framework. */

/** The head and the body of a request. */
export interface Incoming {
  /** Returns a header; undefined if there is none. */
  header(name: string): string | undefined;
  /** Opens the body. Leaving its parts early must leave the connection usable for the answer. */
  body(): AsyncIterable<Uint8Array>;
}
