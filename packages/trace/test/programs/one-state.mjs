// What two copies of the package share. Prints true for each statement. The arguments: the kind of the second copy, and which of them
// makes the values that the other one reads.
import { once } from "node:events";
import http from "node:http";
import { Writable } from "node:stream";
import * as imported from "@moonpack/trace";
import * as api from "@opentelemetry/api";
import { decode, Extensions, encode } from "moonpack";
import pino from "pino";
import { createLogger, format, transports } from "winston";
import { secondCopy } from "./second-copy.mjs";

const [kind, order] = process.argv.slice(2);
const other = await secondCopy(kind);
const [one, two] = order === "back" ? [other, imported] : [imported, other];
const results = { areTwo: one.id !== two.id };

/** Contexts, values and spans. */
one.runWithId(() => {
  one.set("user", "Ada");
  results.context = two.id() === "a" && two.get("user") === "Ada" && two.traceparent() === one.traceparent();
  results.sameContext = one.context() === two.context();
  two.runWithSpan(() => {
    two.set("user", "Bob");
    results.nested = one.id() === "a" && one.get("user") === "Bob" && one.parentSpanId() !== undefined;
  });
  results.outer = two.get("user") === "Ada";
}, "a");
const here = two.runWithId(() => two.context());
results.runWithContext = one.runWithContext(here, () => one.id()) === here.id;
results.generated = /^[0-9a-f-]{36}$/.test(String(here.id));
results.default = one.runWithId(() => two.default.id(), 7) === 7;

/** Errors and carriers. */
try {
  one.httpListener(0);
} catch (error) {
  results.argumentError = error instanceof two.TraceArgumentError && error.code === "ERR_INVALID_ARGUMENT";
}
const failing = one.fetchHandler(() => new Response(), { requestIdFactory: () => Promise.reject(0) });
results.factoryError =
  (await failing(new Request("http://a.example")).catch((error) => error)) instanceof two.TraceFactoryError;
const extensions = new Extensions().register(two.carrierExtension());
const sent = one.runWithId(() => one.carrier(), "c");
const received = decode(encode(sent, { extensions }), { extensions });
results.carrier = received instanceof one.TraceCarrier && two.runWithCarrier(received, two.id) === "c";

/** UUIDs in order, and one warning. */
const ids = Array.from({ length: 4000 }, (_, i) => [one, two][i % 2].uuidv7());
results.uuidv7 = ids.every((id, i) => i === 0 || id > ids[i - 1]);
const warnings = [];
process.on("warning", ({ code }) => warnings.push(code));
for (const copy of [one, two])
  copy.runWithId(() => {
    copy.set("a", {});
    copy.carrier({ values: ["a"] });
  });
await new Promise(setImmediate);
results.warnings = warnings.join() === "MOONPACK_TRACE_CARRIER";

/** Log lines. */
const lines = [];
const stream = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(JSON.parse(chunk))) });
const logger = createLogger({
  defaultMeta: one.winstonMeta(),
  format: format.combine(
    format((line) => two.runWithId(() => two.winstonFormat().transform(line), "late"))(),
    format.json(),
  ),
  transports: [new transports.Stream({ stream })],
});
two.runWithId(() => pino({ mixin: one.pinoMixin() }, stream).info("x"), "pino");
two.runWithId(() => logger.info("x"), "winston");
results.lines = lines.map(({ requestId }) => requestId).join() === "pino,winston";

/** A middleware of each: one binding, one context within the other. */
{
  const seen = [];
  const listen = two.httpListener(
    (request, response) => {
      seen.push(
        one.id(),
        two.id(),
        two.get("outer"),
        Object.getOwnPropertySymbols(request).filter((key) => /binding/.test(String(key))).length,
      );
      response.end();
    },
    { requestIdFactory: () => "inner" },
  );
  const enter = (request, response) => {
    one.set("outer", one.id());
    listen(request, response);
  };
  const outer = one.httpListener(enter, { requestIdFactory: () => "outer" });
  const server = http.createServer(outer).listen(0, "127.0.0.1");
  await once(server, "listening");
  await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text();
  results.middlewares = seen.join() === "inner,inner,outer,1";
}

/** Propagations: one patch, which the last one that stops removes. */
{
  const plain = http.Agent.prototype.addRequest;
  const a = one.propagate({ to: "any" });
  const patched = http.Agent.prototype.addRequest;
  const b = two.propagate({ to: "any" });
  results.patchedOnce = patched !== plain && http.Agent.prototype.addRequest === patched;
  a.stop();
  results.staysPatched = http.Agent.prototype.addRequest === patched;
  b.stop();
  results.restored = http.Agent.prototype.addRequest === plain;
}

/** The bridge to OpenTelemetry. */
{
  const bridge = one.bridgeOpenTelemetry(api);
  const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
  results.bridge =
    api.context.with(api.trace.setSpanContext(api.ROOT_CONTEXT, span), () => two.spanId()) === span.spanId;
  bridge.stop();
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
