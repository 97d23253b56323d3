/** Request ids, values and W3C trace context of the current request. */
import { fastifyPlugin } from "./adapters/fastify.js";
import { fetchHandler } from "./adapters/fetch-handler.js";
import { hapiPlugin } from "./adapters/hapi.js";
import { honoMiddleware } from "./adapters/hono.js";
import { koaMiddleware } from "./adapters/koa.js";
import { koaV1Middleware } from "./adapters/koa-v1.js";
import { carrier, runWithCarrier } from "./carrier/carrier.js";
import { TraceCarrier } from "./carrier/check-carrier.js";
import { carrierExtension } from "./carrier/extension.js";
import { expressMiddleware, fastifyMiddleware } from "./connect.js";
import { context, get, id, runWithContext, runWithId, runWithSpan, set } from "./context/current.js";
import { parentSpanId, spanId, traceId, traceparent, tracestate } from "./context/trace.js";
import { bind, bindEmitter } from "./emitters/bind.js";
import { httpListener } from "./http-listener.js";
import { newSpanId, newTraceId } from "./ids/hex.js";
import { uuidv4 } from "./ids/uuidv4.js";
import { uuidv7 } from "./ids/uuidv7.js";
import { pinoMixin } from "./logs/pino.js";
import { winstonFormat, winstonMeta } from "./logs/winston.js";
import { winstonLine } from "./logs/winston-line.js";
import { bridgeOpenTelemetry } from "./opentelemetry/bridge.js";
import { outgoingHeaders } from "./outgoing/headers.js";
import { undiciInterceptor } from "./outgoing/interceptor.js";
import { propagate } from "./outgoing/propagate.js";
import { asyncTracer } from "./tools/async-tracer.js";
import { requestProfiler } from "./tools/request-profiler.js";
import { formatTraceparent, parseTraceparent } from "./w3c/traceparent.js";
import { formatTracestate, parseTracestate } from "./w3c/tracestate.js";

export type { FastifyLike, FastifyReplyLike, FastifyRequestLike, FastifyTracePlugin } from "./adapters/fastify.js";
export type { FetchHandler } from "./adapters/fetch-handler.js";
export type { HapiRequestLike, HapiServerLike, HapiTracePlugin } from "./adapters/hapi.js";
export type { HonoContextLike, HonoRequestLike, HonoTraceMiddleware } from "./adapters/hono.js";
export type { KoaContextLike, KoaMiddleware, KoaRequestLike } from "./adapters/koa.js";
export type { KoaV1Middleware } from "./adapters/koa-v1.js";
export type { CarrierOptions } from "./carrier/carrier.js";
export type { CarriedValue } from "./carrier/check-carrier.js";
export type { CarrierExtension } from "./carrier/extension.js";
export type { ConnectMiddleware, NodeRequest, NodeResponse } from "./connect.js";
export type { Context } from "./context/context.js";
export type { Duration } from "./duration.js";
export { TraceArgumentError, TraceFactoryError } from "./errors.js";
export type { PluginOptions, TraceOptions } from "./inbound/options.js";
export type { LogKeys } from "./logs/keys.js";
export type { PinoMixin } from "./logs/pino.js";
export type { WinstonFormat } from "./logs/winston.js";
export type { OpenTelemetryApi, OtelContext, OtelSpan, OtelSpanContext } from "./opentelemetry/api.js";
export type { OpenTelemetryBridge } from "./opentelemetry/bridge.js";
export type { OutgoingRule } from "./outgoing/allow-list.js";
export type { HeaderLine } from "./outgoing/headers.js";
export type { UndiciInterceptor } from "./outgoing/interceptor.js";
export type { InterceptorOptions, PropagateOptions } from "./outgoing/options.js";
export type { AsyncTracerOptions } from "./tools/async-tracer.js";
export type { ToolOutput } from "./tools/output.js";
export type {
  ProfiledRequest,
  ProfiledResponse,
  RequestProfiler,
  RequestProfilerOptions,
} from "./tools/request-profiler.js";
export type { Traceparent } from "./w3c/traceparent.js";
export type { TracestateMember } from "./w3c/tracestate.js";
export {
  asyncTracer,
  bind,
  bindEmitter,
  bridgeOpenTelemetry,
  carrier,
  carrierExtension,
  context,
  expressMiddleware,
  fastifyMiddleware,
  fastifyPlugin,
  fetchHandler,
  formatTraceparent,
  formatTracestate,
  get,
  hapiPlugin,
  honoMiddleware,
  httpListener,
  id,
  koaMiddleware,
  koaV1Middleware,
  newSpanId,
  newTraceId,
  outgoingHeaders,
  parentSpanId,
  parseTraceparent,
  parseTracestate,
  pinoMixin,
  propagate,
  requestProfiler,
  runWithCarrier,
  runWithContext,
  runWithId,
  runWithSpan,
  set,
  spanId,
  TraceCarrier,
  traceId,
  traceparent,
  tracestate,
  undiciInterceptor,
  uuidv4,
  uuidv7,
  winstonFormat,
  winstonLine,
  winstonMeta,
};

/** All functions in one object, for `import rTracer from "@moonpack/trace"`. */
export default {
  asyncTracer,
  bind,
  bindEmitter,
  bridgeOpenTelemetry,
  carrier,
  carrierExtension,
  context,
  expressMiddleware,
  fastifyMiddleware,
  fastifyPlugin,
  fetchHandler,
  formatTraceparent,
  formatTracestate,
  get,
  hapiPlugin,
  honoMiddleware,
  httpListener,
  id,
  koaMiddleware,
  koaV1Middleware,
  newSpanId,
  newTraceId,
  outgoingHeaders,
  parentSpanId,
  parseTraceparent,
  parseTracestate,
  pinoMixin,
  propagate,
  requestProfiler,
  runWithCarrier,
  runWithContext,
  runWithId,
  runWithSpan,
  set,
  spanId,
  TraceCarrier,
  traceId,
  traceparent,
  tracestate,
  undiciInterceptor,
  uuidv4,
  uuidv7,
  winstonFormat,
  winstonLine,
  winstonMeta,
};
