// Finds the processes that a run of the tests has started and that outlive it. Each inherits a variable of the run's
// environment, which Linux shows in /proc. On other systems none is found.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const NAME = "MOONPACK_TEST_RUN";
/** How long processes may take to end by themselves: a browser takes about a second. */
const GRACE_MS = 10_000;
const POLL_MS = 100;

/** Marks all processes that this one starts from now on. Returns the mark. */
export function markProcesses() {
  process.env[NAME] = randomUUID();
  return process.env[NAME];
}

/** Waits until the processes of a run have ended, then ends those that have not. Returns these: `{ pid, command }`. */
export async function endProcessesOf(mark) {
  const deadline = performance.now() + GRACE_MS;
  let left = processesOf(mark);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(POLL_MS);
    left = processesOf(mark);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  }
  return left;
}

function processesOf(mark) {
  return processIds().flatMap((pid) => {
    if (pid === process.pid) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      if (!environment.includes(`${NAME}=${mark}\0`)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      // A zombie process, whose parent has not read its status, has an empty command line.
      return command === "" ? [] : [{ pid, command }];
    } catch {
      return []; // It has ended, or belongs to another user.
    }
  });
}

function processIds() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
