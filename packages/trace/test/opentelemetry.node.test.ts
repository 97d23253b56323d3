/** The bridge with the real packages of OpenTelemetry, in new processes: they register objects for the whole process. */
import * as api from "@opentelemetry/api";
import { describe, expect, test } from "vitest";
import { bridgeOpenTelemetry } from "../src/index.ts";
import { installedNodes, run } from "./harness/nodes.ts";

const TRACE_ID = expect.stringMatching(/^[0-9a-f]{32}$/);
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03";

/** Each program fills `seen`. */
const HEAD = `
  import * as api from "@opentelemetry/api";
  import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
  import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
  import * as trace from "@moonpack/trace";
  import { EventEmitter } from "node:events";
  import { setTimeout as sleep } from "node:timers/promises";
  const { bridgeOpenTelemetry, id, runWithCarrier, runWithId, runWithSpan } = trace;
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const place = () => [trace.traceId() ?? null, trace.spanId() ?? null];
  const active = () => {
    const span = api.trace.getSpanContext(api.context.active());
    return [span?.traceId ?? null, span?.spanId ?? null];
  };
  const seen = {};`;
const TAIL = ";console.log(JSON.stringify(seen));";
const SDK = `
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(provider);`;

const nodes = await installedNodes();

describe.each(nodes)("Node $version", (node) => {
  const seenIn = (program: string) => run(node, `${HEAD}${program}${TAIL}`) as Record<string, unknown>;

  describe("no context manager: provide", () => {
    test("our trace is the active span, also after an await and in nested spans", () => {
      const seen = seenIn(`
        seen.mode = bridgeOpenTelemetry(api).mode;
        seen.outside = [place(), active()];
        await runWithCarrier({ id: "a", traceparent: "${TRACEPARENT}", tracestate: "x=1" }, async () => {
          await sleep(1);
          const { traceFlags, traceState } = api.trace.getSpanContext(api.context.active());
          seen.flags = [traceFlags, traceState.serialize()];
          seen.places = [place(), active()];
          seen.same = api.context.active() === api.context.active();
          await runWithSpan(async () => {
            await undefined;
            seen.inner = [place(), active(), id()];
          });
          seen.after = active();
        });`);
      expect(seen).toMatchObject({
        mode: "provide",
        outside: Array(2).fill([null, null]),
        flags: [3, "x=1"],
        same: true,
      });
      const [ours, theirs] = seen.places as string[][];
      expect(ours![0]).toBe("0af7651916cd43dd8448eb211c80319c");
      expect([theirs, seen.after]).toEqual([ours, ours]);
      const [inner, innerActive, id] = seen.inner as string[][];
      expect([innerActive, id, inner![0]]).toEqual([inner, "a", ours![0]]);
      expect(inner![1]).not.toBe(ours![1]);
    });

    test("contexts of users: values, await, bind of functions and emitters, id() within", () => {
      const seen = seenIn(`
        bridgeOpenTelemetry(api);
        const key = api.createContextKey("k");
        const value = () => api.context.active().getValue(key) ?? null;
        const emitter = new EventEmitter();
        await runWithId(async () => {
          const outer = api.context.active();
          const inner = outer.setValue(key, 1);
          const outerSpan = place()[1];
          await api.context.with(inner, async () => {
            await sleep(1);
            seen.within = [value(), id(), place().join() === active().join(), api.context.active() === inner];
            runWithSpan(() => { seen.span = [value(), place().join() === active().join(), place()[1] !== outerSpan]; });
          });
          seen.after = value();
          seen.bound = api.context.bind(inner, function (a, b) { return [value(), this.name, a, b]; });
          seen.length = seen.bound.length;
          seen.bound = seen.bound.call({ name: "this" }, 2, 3);
          api.context.bind(inner, emitter);
          const listener = () => (seen.emitted = [...(seen.emitted ?? []), value()]);
          emitter.on("x", listener).emit("x");
          seen.removed = emitter.off("x", listener).listenerCount("x");
          seen.notBindable = api.context.bind(inner, 7);
          seen.arguments = api.context.with(inner, function (a) { return [this.name, a, value()]; }, { name: "that" }, 4);
          seen.root = api.context.with(api.ROOT_CONTEXT, () => [api.context.active() === api.ROOT_CONTEXT, id()]);
        }, "mine");
        seen.outside = api.context.with(api.ROOT_CONTEXT.setValue(key, 2), () => [value(), id() ?? null, place()]);`);
      expect(seen).toEqual({
        within: [1, "mine", true, true],
        span: [1, true, true],
        after: null,
        bound: [1, "this", 2, 3],
        length: 2,
        emitted: [1],
        removed: 0,
        notBindable: 7,
        arguments: ["that", 4, 1],
        root: [true, "mine"],
        outside: [2, null, [null, null]],
      });
    });

    test("spans that libraries make without an SDK are ours, so our headers go on", () => {
      const seen = seenIn(`
        bridgeOpenTelemetry(api);
        runWithId(() => api.trace.getTracer("library").startActiveSpan("a", () => {
          seen.places = [place(), active()];
          seen.traceparent = trace.traceparent();
        }));`);
      const [ours, theirs] = seen.places as string[][];
      expect([ours![0], theirs]).toEqual([TRACE_ID, ours]);
      expect(seen.traceparent).toBe(`00-${ours!.join("-")}-03`);
    });

    test("an SDK without a context manager: its spans belong to our trace, and are the active spans", () => {
      const seen = seenIn(`
        api.trace.setGlobalTracerProvider(provider);
        const bridge = bridgeOpenTelemetry(api);
        seen.mode = bridge.mode;
        await runWithId(async () => {
          seen.ours = place();
          await api.trace.getTracer("t").startActiveSpan("a", async (span) => {
            await sleep(1);
            seen.within = [place(), active(), trace.parentSpanId()];
            span.end();
          });
          seen.after = place();
        });
        const [span] = exporter.getFinishedSpans();
        seen.exported = [span.spanContext().traceId, span.spanContext().spanId, span.parentSpanContext.spanId];`);
      const ours = seen.ours as string[];
      const [traceId, spanId, parent] = seen.exported as string[];
      expect([seen.mode, traceId, parent]).toEqual(["provide", ours[0], ours[1]]);
      expect(seen.within).toEqual([[traceId, spanId], [traceId, spanId], ours[1]]);
      expect(seen.after).toEqual(ours);
    });

    test("a server's request: the active span is the request's, and ends with it", () => {
      const seen = seenIn(`
        import { createServer, get } from "node:http";
        bridgeOpenTelemetry(api);
        const server = createServer(trace.httpListener((request, response) => {
          request.on("end", () => response.end(JSON.stringify([active(), place(), id()]))).resume();
        }, { traceContext: true, useHeader: true })).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        const headers = { traceparent: "${TRACEPARENT}", "x-request-id": "a" };
        seen.body = await new Promise((resolve) => get({ port: server.address().port, host: "127.0.0.1", headers }, async (response) => {
          resolve(JSON.parse(Buffer.concat(await response.toArray())));
        }));
        server.closeAllConnections();
        server.close();`);
      const [theirs, ours, id] = seen.body as string[][];
      expect([theirs, ours![0], id]).toEqual([ours, "0af7651916cd43dd8448eb211c80319c", "a"]);
    });

    test("stop() makes room for another one; one that is there already stays", () => {
      const seen = seenIn(`
        const bridge = bridgeOpenTelemetry(api);
        bridge.stop();
        seen.ended = runWithId(() => active());
        seen.registered = api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
        bridge.stop();
        const key = api.createContextKey("k");
        seen.works = api.context.with(api.ROOT_CONTEXT.setValue(key, 1), () => api.context.active().getValue(key));
        api.context.disable();
        const other = bridgeOpenTelemetry(api);
        api.context.disable();
        api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
        other.stop();
        seen.stays = api.context.with(api.ROOT_CONTEXT.setValue(key, 1), () => api.context.active().getValue(key));`);
      expect(seen).toEqual({ ended: [null, null], registered: true, works: 1, stays: 1 });
    });
  });

  describe("an SDK is there: follow", () => {
    test("spanId() is its active span; the SDK sends traceparent, we do not", () => {
      const seen = seenIn(`${SDK}
        const bridge = bridgeOpenTelemetry(api);
        seen.mode = bridge.mode;
        const lines = [];
        const mixin = trace.pinoMixin();
        await runWithId(async () => {
          seen.before = place();
          await api.trace.getTracer("t").startActiveSpan("a", async (outer) => {
            await api.trace.getTracer("t").startActiveSpan("b", async (span) => {
              await sleep(1);
              seen.within = [place(), active(), trace.parentSpanId() === outer.spanContext().spanId, id()];
              seen.header = trace.traceparent() === "00-" + active().join("-") + "-01";
              seen.line = mixin();
              span.end();
            });
          });
          seen.after = place();
          bridge.stop();
          api.trace.getTracer("t").startActiveSpan("c", () => { seen.stopped = place(); });
        }, "mine");
        seen.finished = exporter.getFinishedSpans().length;`);
      const [ours, theirs, isChild, id] = seen.within as string[][];
      expect([seen.mode, isChild, id, seen.header, seen.finished]).toEqual(["follow", true, "mine", true, 1]);
      expect(ours).toEqual(theirs);
      expect(seen.line).toEqual({ requestId: "mine", traceId: ours![0], spanId: ours![1] });
      expect(ours![0]).not.toBe((seen.before as string[])[0]);
      expect([seen.after, seen.stopped]).toEqual([seen.before, seen.before]);
    });

    test("outside of our contexts too", () => {
      const seen = seenIn(`${SDK}
        bridgeOpenTelemetry(api);
        api.trace.getTracer("t").startActiveSpan("a", () => {
          seen.places = [place(), active(), id() ?? null, trace.pinoMixin()()];
        });`);
      const [ours, theirs, id, line] = seen.places as string[][];
      expect([ours, id, line]).toEqual([theirs, null, { traceId: ours![0], spanId: ours![1] }]);
    });

    test("two bridges may be stopped in any order; an error of the SDK does not reach callers", () => {
      const seen = seenIn(`${SDK}
        const first = bridgeOpenTelemetry(api);
        const second = bridgeOpenTelemetry(api);
        const within = () => api.trace.getTracer("t").startActiveSpan("a", () => place().join() === active().join());
        seen.both = within();
        first.stop();
        seen.second = within();
        second.stop();
        seen.none = within();
        const third = bridgeOpenTelemetry(api);
        const broken = { spanContext() { throw new Error("broken"); } };
        seen.broken = api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, broken), () => runWithId(() => place()));`);
      expect(seen).toMatchObject({ both: true, second: true, none: false, broken: [TRACE_ID, expect.any(String)] });
    });
  });
});

test("what is not the module is refused", () => {
  for (const bad of [undefined, null, {}, { context: {}, trace: {} }, 7])
    expect(() => bridgeOpenTelemetry(bad as never)).toThrow(
      expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" }),
    );
});

test("the types of the module fit", () => {
  const bridge = bridgeOpenTelemetry(api);
  bridge.stop();
  expect(bridge.mode).toBe("provide");
});
