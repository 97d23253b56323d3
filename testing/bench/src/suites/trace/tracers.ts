/** Ways to know a request's id: by hand, and with each library. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A way to know a request's id. All accept the id of the header `X-Request-Id`, or generate one. */
export interface Tracer {
  /** Runs the rest of the request. */
  middleware(request: IncomingMessage, response: ServerResponse, next: () => void): void;
  /** The id of the current request. Only the way by hand looks at the request. */
  id(request: IncomingMessage): unknown;
}

/** All ways, in the order of the tables. */
export const TRACERS = {
  none: "no tracing",
  bare: "a bare AsyncLocalStorage",
  moonpack: "@moonpack/trace",
  rtracer: "cls-rtracer",
  hooked: "cls-hooked",
} as const;

export type TracerId = keyof typeof TRACERS;

/** Loads one tracer, and no other one, since that would change the cost. */
export async function loadTracer(id: TracerId): Promise<Tracer> {
  switch (id) {
    case "none":
      return byHand();
    case "bare":
      return bare();
    case "moonpack": {
      const trace = await import("@moonpack/trace");
      return { middleware: trace.expressMiddleware({ useHeader: true }), id: trace.id };
    }
    case "rtracer": {
      const { default: rTracer } = await import("cls-rtracer");
      return { middleware: rTracer.expressMiddleware({ useHeader: true }) as Tracer["middleware"], id: rTracer.id };
    }
    case "hooked":
      return hooked();
  }
}

function idOf({ headers }: IncomingMessage): string {
  return (headers["x-request-id"] as string | undefined) ?? randomUUID();
}

interface Named extends IncomingMessage {
  ownId?: string;
}

/** The request is passed along, and has the id. */
function byHand(): Tracer {
  return {
    middleware(request, _response, next) {
      (request as Named).ownId = idOf(request);
      next();
    },
    id: (request) => (request as Named).ownId,
  };
}

function bare(): Tracer {
  const storage = new AsyncLocalStorage<string>();
  return {
    middleware: (request, _response, next) => storage.run(idOf(request), next),
    id: () => storage.getStore(),
  };
}

async function hooked(): Promise<Tracer> {
  const { default: hooks } = await import("cls-hooked");
  const namespace = hooks.createNamespace("trace");
  return {
    middleware(request, response, next) {
      namespace.bindEmitter(request);
      namespace.bindEmitter(response);
      namespace.run(() => {
        namespace.set("id", idOf(request));
        next();
      });
    },
    id: () => namespace.get("id"),
  };
}
