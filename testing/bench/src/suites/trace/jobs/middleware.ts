/** The cost of a middleware alone, on Node's requests and responses without a connection. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expressMiddleware, id } from "@moonpack/trace";
import rTracer from "cls-rtracer";
import type { Contestant } from "../../../measure/interleave.js";

interface Messages {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The handler behind the middleware; `prototype`: none, but the messages have another prototype, as in Express. */
export type Behind = "nothing" | "id" | "listeners" | "prototype";

/** About the bytes of a request and a response. */
const BYTES = 2000;

/** The middlewares with their handlers. */
export function middlewares(behind: Behind): Contestant[] {
  const socket = new Socket();
  const prototypes = {
    request: Object.create(IncomingMessage.prototype),
    response: Object.create(ServerResponse.prototype),
  };
  const prepare = (count: number): Messages[] =>
    Array.from({ length: count }, () => {
      const request = new IncomingMessage(socket);
      const response = new ServerResponse(request);
      if (behind === "prototype") {
        Object.setPrototypeOf(request, prototypes.request);
        Object.setPrototypeOf(response, prototypes.response);
      }
      return { request, response };
    });
  const contestant = (name: string, middleware: Middleware, readId: () => unknown): Contestant => {
    const next = nextOf(behind, readId);
    return {
      id: name,
      bytes: BYTES,
      prepare,
      call(input) {
        const { request, response } = input as Messages;
        middleware(request, response, behind === "listeners" ? () => listen(request, response) : next);
        return response;
      },
    };
  };
  return [
    contestant(
      "none",
      (_request, _response, next) => next(),
      () => 0,
    ),
    contestant("moonpack", expressMiddleware(), id),
    contestant("rtracer", rTracer.expressMiddleware(), rTracer.id),
  ];
}

function nextOf(behind: Behind, readId: () => unknown): () => void {
  if (behind !== "id") return () => undefined;
  return () => {
    if (readId() === undefined) throw new Error("the request has no id");
  };
}

const heard = { events: 0 };

function onData(): void {
  heard.events += 100;
}

function onEnd(): void {
  heard.events += 100;
}

function onFinish(): void {
  heard.events++;
}

/** Three listeners, a removal, an event. */
function listen(request: IncomingMessage, response: ServerResponse): void {
  request.on("aborted", onData);
  request.on("error", onEnd);
  response.on("finish", onFinish);
  request.removeListener("aborted", onData);
  response.emit("finish");
}

/** Throws unless each call has heard one event, and no removed listener was called. */
export function checkListeners(contestants: readonly Contestant[]): void {
  for (const { id: name, prepare, call } of contestants) {
    heard.events = 0;
    for (const input of prepare(100)) {
      call(input);
      const { request } = input as Messages;
      request.emit("aborted");
    }
    if (heard.events !== 100) throw new Error(`${name}: ${heard.events} events instead of 100`);
  }
}
