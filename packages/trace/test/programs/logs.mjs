// pino and winston within requests, for any version of Node. Prints the lines whose id is another's, as JSON.
import { setTimeout as sleep } from "node:timers/promises";
import { pinoMixin, runWithId, traceId, winstonFormat, winstonLine, winstonMeta } from "@moonpack/trace";
import pino from "pino";
import winston from "winston";

const wrong = [];
const counts = { pino: 0, json: 0, text: 0 };
const check = (kind, line) => {
  counts[kind]++;
  const { requestId, traceId: seen, mine, trace } = JSON.parse(line);
  if (requestId !== mine || (seen ?? null) !== trace) wrong.push([kind, line]);
};

const child = pino({ mixin: pinoMixin() }, { write: (line) => check("pino", line) }).child({ a: 1 });

/** A transport that takes its time: lines wait, and are formatted when there is room. */
function slow(format, log) {
  const transport = new winston.transports.Console();
  transport.log = (line, next) => {
    log(line[Symbol.for("message")]);
    setTimeout(next, 1);
  };
  return winston.createLogger({ defaultMeta: winstonMeta({ service: "s" }), format, transports: [transport] });
}
const json = slow(winston.format.combine(winstonFormat(), winston.format.json()), (line) => check("json", line));
const text = slow(winstonLine(), (line) => {
  counts.text++;
  const [, id, message] = /^\S+Z \[request-id:(.*)\]: (.*)$/.exec(line) ?? [];
  if (id === undefined || id !== message) wrong.push(["text", line]);
});

const COUNT = 200;
await Promise.all(
  Array.from({ length: COUNT }, (_, i) =>
    runWithId(async () => {
      const mine = `request-${i}`;
      await sleep(i % 20);
      const trace = traceId();
      child.info({ mine, trace }, "a");
      json.info("a", { mine, trace });
      text.info(mine);
    }, `request-${i}`),
  ),
);
while (counts.text < COUNT || counts.json < COUNT) await sleep(5);
const hostile = [];
const plain = pino({ mixin: pinoMixin() }, { write: (line) => hostile.push(line) });
runWithId(() => plain.info("x"), "a\r\nforged\u2028\u001b[2J");
process.stdout.write(JSON.stringify({ counts, wrong, lines: hostile.map((line) => line.split(/[\r\n]/).length) }));
