/** Options of untyped callers: unknown names, wrong forms, getters that throw. */
import { MoonpackError } from "moonpack/bytes";
import { expect, test } from "vitest";
import {
  asyncTracer,
  carrier,
  carrierExtension,
  expressMiddleware,
  fastifyMiddleware,
  fastifyPlugin,
  fetchHandler,
  hapiPlugin,
  honoMiddleware,
  httpListener,
  koaMiddleware,
  koaV1Middleware,
  pinoMixin,
  propagate,
  requestProfiler,
  TraceArgumentError,
  TraceFactoryError,
  undiciInterceptor,
  winstonFormat,
} from "../src/index.ts";

const nothing = (): undefined => undefined;
const server = { listener: {}, version: "5.0.0", addHook: nothing, ext: nothing, decorate: nothing };

/** Each function with options, and a misspelt name with its suggestion. */
const FUNCTIONS: [name: string, call: (options: never) => unknown, wrong: string, meant: string][] = [
  ["expressMiddleware", expressMiddleware, "useHeadr", "useHeader"],
  ["fastifyMiddleware", fastifyMiddleware, "echoHeaders", "echoHeader"],
  ["fastifyPlugin", throwing(fastifyPlugin), "useFastifyRequestID", "useFastifyRequestId"],
  ["fetchHandler", (options) => fetchHandler(() => new Response(), options), "acceptID", "acceptId"],
  ["hapiPlugin", (options) => hapiPlugin.register(server as never, options), "headrName", "headerName"],
  ["honoMiddleware", honoMiddleware, "enable", "enabled"],
  ["httpListener", (options) => httpListener(nothing, options), "sample", "sampled"],
  ["koaMiddleware", koaMiddleware, "maxIdLenght", "maxIdLength"],
  ["koaV1Middleware", koaV1Middleware, "tracecontext", "traceContext"],
  ["propagate", propagate, "too", "to"],
  ["undiciInterceptor", undiciInterceptor, "origin", "origins"],
  ["asyncTracer", asyncTracer, "maxResource", "maxResources"],
  ["requestProfiler", requestProfiler, "maxduration", "maxDuration"],
  ["carrier", carrier, "value", "values"],
  ["carrierExtension", carrierExtension, "typ", "type"],
  ["pinoMixin", pinoMixin, "requestID", "requestId"],
  ["winstonFormat", winstonFormat, "traceID", "traceId"],
];

/** Fastify's plugin passes its error to a callback. */
function throwing(plugin: typeof fastifyPlugin): (options: never) => void {
  return (options) =>
    plugin(server, options, (error) => {
      if (error !== undefined) throw error;
    });
}

test.each(FUNCTIONS)("%s refuses unknown options, with a suggestion", (_, call, wrong, meant) => {
  expect(() => call({ [wrong]: 1 } as never)).toThrow(refused(wrong, meant));
  expect(() => call({ unheardOf: 1 } as never)).toThrow(/^"unheardOf" is not a known (option|field)$/);
});

test.each(FUNCTIONS)("%s refuses other values than objects", (_, call) => {
  for (const options of [null, 1, "options", [], true, nothing])
    expect(() => call(options as never)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
});

test.each(FUNCTIONS)("%s: the error of a getter reaches the caller", (_, call, __, meant) => {
  const error = new Error("a getter");
  const options = Object.defineProperty({}, meant, {
    get() {
      throw error;
    },
  });
  expect(() => call(options as never)).toThrow(error);
});

/** The functions that handle requests. */
const REQUESTS = FUNCTIONS.slice(0, 9);

test.each(REQUESTS)("%s: its four switches are booleans", (_, call) => {
  for (const name of ["useHeader", "echoHeader", "useFastifyRequestId", "enabled"]) {
    for (const value of ["false", "true", "", 0, 1, {}, [], nothing])
      expect(() => call({ [name]: value } as never)).toThrow(
        expect.objectContaining({
          code: "ERR_INVALID_ARGUMENT",
          message: expect.stringMatching(`^${name} must be true or false, not `),
        }),
      );
    for (const value of [true, false, undefined]) expect(() => call({ [name]: value } as never)).not.toThrow();
  }
});

test("Fastify's register options pass", () => {
  const options = { prefix: "/api", logLevel: "warn", logSerializers: {}, enabled: false };
  expect(() => throwing(fastifyPlugin)(options as never)).not.toThrow();
});

test("errors belong to moonpack's family, and print nothing of hostile names", () => {
  const thrown = (() => {
    try {
      return expressMiddleware({ ["x\n".repeat(1000)]: 1 } as never);
    } catch (error) {
      return error;
    }
  })();
  expect(thrown).toBeInstanceOf(MoonpackError);
  expect(thrown).toBeInstanceOf(TraceArgumentError);
  expect((thrown as Error).message.length).toBeLessThan(200);
  expect((thrown as Error).message).not.toContain("\n");
  expect(new TraceFactoryError(0)).toBeInstanceOf(MoonpackError);
});

function refused(wrong: string, meant: string): Error {
  return expect.objectContaining({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringMatching(`^"${wrong}" is not a known (option|field): did you mean ${meant}\\?$`),
  });
}
