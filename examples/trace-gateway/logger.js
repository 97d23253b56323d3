// The logger of every process: each line within a request has its id, its trace and its span.
import { pinoMixin } from "@moonpack/trace";
import { pino } from "pino";

export const makeLogger = (service) =>
  pino({ base: { service }, mixin: pinoMixin(), timestamp: false, formatters: { level: (level) => ({ level }) } });
