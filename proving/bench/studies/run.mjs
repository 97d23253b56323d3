// Runs the parts of a study, each in its own process, on each version of Node.
import { availableParallelism } from "node:os";
import { findRuntime } from "@moonpack/tools/runtimes";
import { runScript } from "../dist/measure/child.js";

const CHILD = new URL("./child.mjs", import.meta.url);
const FLAGS = ["--expose-gc", "--allow-natives-syntax"];

/** The installed versions of Node, and the names of missing ones. */
export async function findNodes(majors) {
  const found = [];
  const missing = [];
  for (const major of majors) {
    const node = await findRuntime(`node-${major}`);
    if (node === undefined) missing.push(`node-${major}`);
    else found.push(node);
  }
  return { found, missing };
}

/**
 * Measures the parts of one kind, `counted` or `timed`. Each kind has its own results: counted figures are the same on every
 * 64-bit machine, whether it is busy or not.
 */
export async function measureKind(study, kind, nodes, { isSmoke = false } = {}) {
  const measured = [];
  for (const { executable, version } of nodes) {
    const figures = {};
    const parts = study.parts.filter((part) => part.kind === kind && !(isSmoke && part.isLong));
    for (const { id, flags = [] } of parts) {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${study.name}: Node ${version}, ${id}`);
      const args = [study.name, id, isSmoke ? "smoke" : "full"];
      Object.assign(figures, await runScript(CHILD, args, [...FLAGS, ...flags], executable));
    }
    measured.push({ node: version, figures });
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores`;
  return { date: new Date().toISOString().slice(0, 10), machine, nodes: measured };
}
