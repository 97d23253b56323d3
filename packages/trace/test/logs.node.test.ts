/** Log lines of pino, winston and the console: the right request's ids, the line's own fields first, and one line each. */
import { Console } from "node:console";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { describe, expect, test } from "vitest";
import winston from "winston";
import {
  httpListener,
  id,
  pinoMixin,
  runWithId,
  runWithSpan,
  spanId,
  traceId,
  winstonFormat,
  winstonLine,
  winstonMeta,
} from "../src/index.ts";
import { get as request, serve } from "./harness/raw-request.ts";

const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" });
const HOSTILE = [
  "a\r\nforged",
  "a\u2028b\u2029c",
  "\u001b[2J\u001b]0;title\u0007",
  "\u0085\u009b31m",
  "a\u202eb\u2066c",
  "\u0000\u007f",
  '"}\n{"level":60',
];

type Line = Record<string, unknown>;
type Info = { info(text: string): unknown };

function pinoTo(lines: string[], options: pino.LoggerOptions = {}): pino.Logger {
  return pino({ base: null, timestamp: false, mixin: pinoMixin(), ...options }, { write: (text) => lines.push(text) });
}

function winstonTo(lines: string[], format: winston.Logform.Format, defaultMeta: object | undefined = winstonMeta()) {
  const stream = new Writable({
    write(text, _encoding, done) {
      lines.push(String(text));
      done();
    },
  });
  return winston.createLogger({
    format,
    defaultMeta,
    transports: [new winston.transports.Stream({ stream, eol: "\n" })],
  });
}

const json = () => winston.format.combine(winstonFormat(), winston.format.json());

describe("pino", () => {
  test("a line in a request has its ids; outside it has none", () => {
    const lines: string[] = [];
    const logger = pinoTo(lines);
    logger.info("outside");
    const expected = runWithId(() => {
      logger.info({ a: 1 }, "inside");
      return { level: 30, requestId: "mine", traceId: traceId(), spanId: spanId(), a: 1, msg: "inside" };
    }, "mine");
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ level: 30, msg: "outside" }, expected]);
  });

  test("a new object for each line, since pino changes it", () => {
    const mixin = pinoMixin();
    runWithId(() => {
      const first = mixin();
      first.requestId = "changed";
      expect(mixin()).toEqual({ requestId: "a", traceId: traceId(), spanId: spanId() });
    }, "a");
    expect(mixin()).toEqual({});
    expect(mixin()).not.toBe(mixin());
  });

  test("a line's own fields win, and what one line has the next has not", () => {
    const lines: string[] = [];
    const logger = pinoTo(lines);
    runWithId(() => {
      logger.info({ requestId: "own", spanId: null });
      logger.info("next");
    }, "mine");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { requestId: "own", spanId: null },
      { requestId: "mine", spanId: expect.any(String) },
    ]);
  });

  test("a child logger's fields win, and no field is there twice", () => {
    const lines: string[] = [];
    const logger = pinoTo(lines);
    runWithId(() => {
      logger.child({ requestId: "child" }).info("a");
      logger.child({ nested: { requestId: 1 }, text: '"requestId":' }).info("b");
      logger.child({ a: 1 }).child({ traceId: 7 }).info("c");
      logger.info("d");
    }, "mine");
    expect(lines.map((line) => line.match(/"requestId":"/g)?.length)).toEqual([1, 1, 1, 1]);
    expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(["child", "mine", "mine", "mine"]);
    expect(JSON.parse(lines[2]!).traceId).toBe(7);
  });

  test("fields may be renamed and left out", () => {
    const lines: string[] = [];
    const mixin = pinoMixin({ requestId: "request.id", traceId: false });
    runWithId(() => pinoTo(lines, { mixin }).info("a"), 7);
    expect(JSON.parse(lines[0]!)).toEqual({ level: 30, "request.id": 7, spanId: expect.any(String), msg: "a" });
    runWithId(() => expect(pinoMixin({ requestId: false, traceId: false, spanId: false })()).toEqual({}));
  });

  test("the line has the current span; falsy ids are ids", () => {
    const lines: string[] = [];
    const logger = pinoTo(lines);
    runWithId(() => {
      logger.info("outer");
      runWithSpan(() => logger.info("inner"));
    }, 0);
    const [outer, inner] = lines.map((line) => JSON.parse(line) as Line);
    expect([outer!.requestId, inner!.requestId]).toEqual([0, 0]);
    expect(inner!.traceId).toBe(outer!.traceId);
    expect(inner!.spanId).not.toBe(outer!.spanId);
  });
});

describe("winston", () => {
  test("a line in a request has its ids; outside it has none", () => {
    const lines: string[] = [];
    const logger = winstonTo(lines, json());
    logger.info("outside");
    const expected = runWithId(() => {
      logger.info("inside", { a: 1 });
      return { level: "info", message: "inside", a: 1, requestId: "mine", traceId: traceId(), spanId: spanId() };
    }, "mine");
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ level: "info", message: "outside" }, expected]);
  });

  test("a line's own fields win; child loggers and default fields too", () => {
    const lines: string[] = [];
    const logger = winstonTo(lines, json(), winstonMeta({ service: "shop" }));
    runWithId(() => {
      logger.info("a", { requestId: "own" });
      logger.child({ requestId: "child" }).info("b");
      logger.info({ message: "c", spanId: null });
    }, "mine");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { service: "shop", requestId: "own", message: "a" },
      { service: "shop", requestId: "child", message: "b" },
      { service: "shop", requestId: "mine", message: "c", spanId: null },
    ]);
  });

  test("the same object, and the same error, logged by two requests", () => {
    const lines: string[] = [];
    const { errors } = winston.format;
    const format = winston.format.combine(winstonFormat(), errors({ stack: true }), winston.format.json());
    const logger = winstonTo(lines, format);
    const entry = { level: "info", message: "entry" };
    const failure = Object.assign(new Error("failed"), { code: "E_FAILED" });
    for (const each of ["a", "b"])
      runWithId(() => {
        logger.log(entry);
        logger.error(failure);
      }, each);
    const read = lines.map((line) => JSON.parse(line) as Line);
    expect(read.map(({ requestId, message }) => [requestId, message])).toEqual([
      ["a", "entry"],
      ["a", "failed"],
      ["b", "entry"],
      ["b", "failed"],
    ]);
    expect(read[1]).toMatchObject({ code: "E_FAILED", stack: expect.stringContaining("Error: failed") });
    expect(Object.keys(failure)).not.toContain("requestId");
  });

  test("a slow transport: lines that wait keep their own request's ids", async () => {
    const seen: unknown[][] = [];
    const stream = new Writable();
    const slow = Object.assign(new winston.transports.Stream({ stream }), {
      log(line: Line, done: () => void) {
        seen.push([line.requestId, line.mine, line.traceId === line.myTrace]);
        setTimeout(done, 1);
      },
    });
    const logger = winston.createLogger({ defaultMeta: winstonMeta(), format: winstonFormat(), transports: [slow] });
    const requests = Array.from({ length: 200 }, (_, mine) =>
      runWithId(async () => {
        await sleep(mine % 20);
        logger.info("a", { mine, myTrace: traceId() });
      }, mine),
    );
    await Promise.all(requests);
    for (let tries = 0; seen.length < 200 && tries < 500; tries++) await sleep(10);
    expect(seen.length).toBe(200);
    expect(seen.filter(([own, mine, isMine]) => own !== mine || isMine !== true)).toEqual([]);
  });

  test("without winstonMeta the fields have the context of the format", () => {
    const lines: string[] = [];
    runWithId(() => winstonTo(lines, json(), {}).info("a"), "mine");
    expect(JSON.parse(lines[0]!).requestId).toBe("mine");
  });

  test("lines as in the articles", () => {
    const lines: string[] = [];
    const logger = winstonTo(lines, winstonLine());
    runWithId(() => logger.info("saved"), "mine");
    logger.info("outside");
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \[request-id:mine\]: saved\n$/);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z: outside\n$/);
    const { combine, timestamp } = winston.format;
    const own = winstonTo(lines, combine(timestamp({ format: () => "NOW" }), winstonFormat(), winstonLine()));
    runWithId(() => own.info("b", { requestId: "own" }), "mine");
    runWithId(() => own.info({ message: { a: 1 } }), 0);
    expect(lines.slice(2)).toEqual(["NOW [request-id:own]: b\n", 'NOW [request-id:0]: {"a":1}\n']);
  });

  test("ids of any kind are printed, and none makes a line fail", () => {
    const lines: string[] = [];
    const logger = winstonTo(lines, winstonLine());
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const failing = () => expect.unreachable();
    const called = Object.assign(() => undefined, { toString: failing });
    const error = Object.defineProperty(new Error("e"), "message", { get: failing });
    const ids = [null, 7n, Symbol("s"), { a: 1 }, circle, called, error, Object.create(null), "x".repeat(2000)];
    for (const each of ids) runWithId(() => logger.info("m"), each);
    expect(lines.map((line) => /\[request-id:(.*)\]: m\n$/.exec(line)![1])).toEqual([
      "null",
      "7",
      "Symbol(s)",
      '{"a":1}',
      "[object]",
      "[function]",
      "[object]",
      "{}",
      "x".repeat(1024),
    ]);
  });
});

describe("logs cannot be forged", () => {
  test.each(HOSTILE)("an id from a header: %j", async (hostile) => {
    const lines: string[] = [];
    const printed: string[] = [];
    const output = new Writable({
      write(text, _encoding, done) {
        printed.push(String(text));
        done();
      },
    });
    const loggers: Info[] = [pinoTo(lines), winstonTo(lines, json()), winstonTo(lines, winstonLine())];
    const console = new Console(output);
    const server = await serve(
      httpListener(
        (_request, response) => {
          for (const logger of loggers) logger.info("logged");
          console.log(`[request-id:${id()}] logged`);
          response.end();
        },
        { useHeader: true },
      ),
    );
    try {
      // Node's parser itself refuses control characters but the tab.
      await request(server.port, [["X-Request-Id", hostile.replaceAll(/\p{Cc}/gu, "\t")]]);
      await request(server.port, [["X-Request-Id", encodeURI(hostile.toWellFormed())]]);
    } finally {
      await server.close();
    }
    expect([lines.length, printed.length]).toEqual([6, 2]);
    for (const line of [...lines, ...printed]) expect(line).toMatch(/^[ -~]+\n$/);
  });

  test.each(HOSTILE)("an id that the application took from anywhere: %j", (hostile) => {
    const lines: string[] = [];
    const loggers: Info[] = [pinoTo(lines), winstonTo(lines, json()), winstonTo(lines, winstonLine())];
    runWithId(() => {
      for (const logger of loggers) logger.info("logged");
    }, hostile);
    expect(lines.length).toBe(3);
    for (const line of lines) expect(line.match(/[\n\r]/g)).toEqual(["\n"]);
    expect(lines.slice(0, 2).map((line) => JSON.parse(line).requestId)).toEqual([hostile, hostile]);
    expect(lines[2]).toMatch(/^[ -~]+\n$/);
  });

  test.each(HOSTILE)("a line's own timestamp: %j", (hostile) => {
    const lines: string[] = [];
    winstonTo(lines, winstonLine()).info("logged", { timestamp: hostile });
    expect(lines.length).toBe(1);
    expect(lines[0]).toMatch(/^[ -~]+: logged\n$/);
  });
});

test("invalid names are refused", () => {
  const bad = [
    null,
    1,
    { requestId: "" },
    { requestId: 1 },
    { traceId: true },
    { spanId: "__proto__" },
    { traceId: "spanId" },
  ];
  for (const keys of bad) {
    expect(() => pinoMixin(keys as never)).toThrow(refused);
    expect(() => winstonFormat(keys as never)).toThrow(refused);
  }
  for (const meta of [null, 1, "a"]) expect(() => winstonMeta(meta as never)).toThrow(refused);
});
