import { availableParallelism, cpus, loadavg, release, type } from "node:os";
import type { Machine } from "../result.js";

/** Describes this machine and its current load. */
export function machine(): Machine {
  return {
    node: process.versions.node,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    os: `${type()} ${release()} ${process.arch}`,
    loadBefore: Math.round(loadavg()[0]! * 100) / 100,
  };
}
