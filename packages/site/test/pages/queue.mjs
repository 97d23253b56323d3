// How long the main thread of a page waits for a processor, by Linux's account of each thread: other work of the machine takes it.
import { readdirSync, readFileSync } from "node:fs";

/** Short against the pauses that are looked for. */
const LOOK_MS = 5;
/** Processes of pages, in Firefox and Chromium. */
const PAGES = /-contentproc.*\0tab\0|--type=renderer/s;

/**
 * Looks at this program's browsers until the returned function is called. That one returns a function of two times since 1970: how many
 * milliseconds between them, at least, the page waited for a processor. The page is the process that worked the longest of them.
 * Systems without the account have 0.
 */
export function watchQueue() {
  const pages = pageProcesses().map((pid) => ({ pid, looks: [] }));
  const look = () => {
    for (const { pid, looks } of pages) {
      const account = textOf(`/proc/${pid}/schedstat`);
      if (account === "") continue;
      // Nanoseconds at work and in the queue.
      const [worked, queued] = account.split(" ").map((nanoseconds) => Number(nanoseconds) / 1e6);
      looks.push({ at: performance.timeOrigin + performance.now(), worked, queued });
    }
  };
  look();
  const timer = setInterval(look, LOOK_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    const work = ({ looks }) => (looks.at(-1)?.worked ?? 0) - (looks[0]?.worked ?? 0);
    const [busiest] = pages.sort((one, other) => work(other) - work(one));
    return (from, to) => {
      const within = (busiest?.looks ?? []).filter(({ at }) => at >= from && at <= to);
      return within.length === 0 ? 0 : within.at(-1).queued - within[0].queued;
    };
  };
}

/** The processes of pages that this process has started, with those that its own have started. */
function pageProcesses() {
  const parents = new Map();
  try {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      // The name of the program, in parentheses, may have spaces; the parent is the second field after it.
      parents.set(pid, textOf(`/proc/${pid}/stat`).replace(/^.*\)/s, "").trim().split(" ")[1]);
    }
  } catch {
    return [];
  }
  const isOurs = (pid) => pid === String(process.pid) || (parents.has(pid) && isOurs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => isOurs(pid) && PAGES.test(textOf(`/proc/${pid}/cmdline`)));
}

/** A file's text; nothing if it is gone. */
function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
