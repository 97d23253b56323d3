/** Koa's answers to errors: `ctx.onerror` removes all headers, and emits the application's event `error`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { reenter } from "./common.js";

/** The members of Koa's request in all versions. */
export interface KoaRequestLike {
  readonly req: IncomingMessage;
  readonly headers: { readonly [name: string]: unknown };
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly ip: string;
  /** Returns the value of a header; empty if there is none. */
  get(name: string): string;
}

/** The members of Koa's context that are used. */
export interface KoaContextLike {
  readonly request: unknown;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  set(name: string, value: string): unknown;
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
