/** Requests and answers of the HTTP API, apart from any server. */

/** A request. */
export interface HttpRequest {
  /** The method, in upper case. */
  readonly method: string;
  /** The path with the query, `/api/v1/query?query=up`, or a whole URL. */
  readonly url: string;
  /** The headers. */
  readonly headers: {
    /** Returns the value of a header by its name in lower case. */
    get(name: string): string | null | undefined;
  };
  /** The body, if there is one. It is read at most once, and no further than the limits allow. */
  readonly body?: AsyncIterable<Uint8Array> | undefined;
  /** Aborts when the client has left: a query then ends. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer. */
export interface HttpAnswer {
  /** The status. */
  readonly status: number;
  /** The headers, by their names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The body: bytes, or chunks that are produced when they are read. Empty for `HEAD`. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The content of an answer: a value as JSON in Prometheus' envelope, chunks of text, or a text of another type. */
export type Reply =
  | { readonly data: unknown; readonly warnings?: readonly string[] }
  | { readonly chunks: AsyncIterable<string> }
  | { readonly text: string; readonly type: string; readonly status?: number };
