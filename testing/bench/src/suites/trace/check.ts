/** Each server must know the right id of each of many concurrent requests. One that does not is not measured. */
import { ServerProcess } from "./server-process.js";
import type { ServerJob } from "./servers/child.js";

/** Sends concurrent requests with ids, and compares the ids of answers and lines. */
export async function checkServer(job: ServerJob, executable: string, count: number): Promise<void> {
  const server = await ServerProcess.start({ ...job, keepsLines: true }, executable);
  try {
    const keys = Array.from({ length: count }, (_, index) => `key-${index}`);
    const isApplication = job.kind === "express" || job.kind === "fastify";
    const answers = await Promise.all(
      keys.map((key) => server.ask(isApplication ? `/items/${key}` : "/", `id-of-${key}`)),
    );
    for (const [index, answer] of answers.entries()) {
      const id = `id-of-${keys[index]}`;
      const expected = isApplication ? JSON.stringify({ id }) : id;
      if (answer !== expected) throw new Error(`${nameOf(job)}: ${answer} instead of ${expected}`);
    }
    if (isApplication) checkLines(job, await server.lines(), count);
    const made = new Set(await Promise.all(keys.map(() => server.ask(isApplication ? "/items/some" : "/"))));
    if (made.size !== count) throw new Error(`${nameOf(job)}: ${made.size} different ids for ${count} requests`);
  } finally {
    await server.end();
  }
}

/** Throws unless each request has two lines with its id. */
export function checkLines(job: ServerJob, lines: readonly string[], requests: number): void {
  if (lines.length !== 2 * requests) throw new Error(`${nameOf(job)}: ${lines.length} lines for ${requests} requests`);
  for (const line of lines) {
    const { key, requestId } = JSON.parse(line) as { key: string; requestId: unknown };
    if (requestId !== `id-of-${key}`) throw new Error(`${nameOf(job)}: ${line} has another request's id`);
  }
}

function nameOf({ kind, tracer }: ServerJob): string {
  return `${kind}, ${tracer}`;
}
