/** Koa's answers to errors: `ctx.onerror` removes all headers, and emits the application's event `error`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { reenter } from "./common.js";

/** The members of Koa's request in all versions. */
export interface KoaRequestLike {
  /** Node's request. */
  readonly req: IncomingMessage;
  /** Headers by their names in lower case. */
  readonly headers: { readonly [name: string]: unknown };
  /** The method, such as `GET`. */
  readonly method: string;
  /** The path and query. */
  readonly url: string;
  /** The path. */
  readonly path: string;
  /** The address of the client. */
  readonly ip: string;
  /** Returns the value of a header; empty if there is none. */
  get(name: string): string;
}

/** The members of Koa's context that are used. */
export interface KoaContextLike {
  /** Koa's request. */
  readonly request: unknown;
  /** Node's request. */
  readonly req: IncomingMessage;
  /** Node's response. */
  readonly res: ServerResponse;
  /** Sets a header of the response. */
  set(name: string, value: string): unknown;
  /** Answers with an error. */
  onerror(error: Error): void;
}

type RemoveHeader = (this: ServerResponse, name: string) => void;

/** Makes `onerror` run in the request's context, and not remove the header of the echo. */
export function bindErrors(ctx: KoaContextLike, echoed: string | undefined): void {
  const former = ctx.onerror;
  if (typeof former !== "function") return;
  ctx.onerror = function (this: KoaContextLike, error: Error): void {
    reenter(ctx.req, () =>
      echoed === undefined ? former.call(this, error) : keepingHeader(ctx.res, echoed, () => former.call(this, error)),
    );
  };
}

/** Calls `fn` while `removeHeader` of the response skips one header. */
function keepingHeader(response: ServerResponse, kept: string, fn: () => void): void {
  const own = Object.getOwnPropertyDescriptor(response, "removeHeader");
  const former: RemoveHeader = response.removeHeader;
  const removeHeader: RemoveHeader = function (name) {
    if (String(name).toLowerCase() !== kept) former.call(this, name);
  };
  Object.defineProperty(response, "removeHeader", { value: removeHeader, configurable: true, writable: true });
  try {
    fn();
  } finally {
    if (own === undefined) Reflect.deleteProperty(response, "removeHeader");
    else Object.defineProperty(response, "removeHeader", own);
  }
}
