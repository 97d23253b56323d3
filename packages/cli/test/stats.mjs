// Loaded into the command under test: leaves its peak memory, in MB, where the test looks for it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Linux counts a process's memory before it ran this program too, when it was a copy of the one that started it. */
const STATUS = "/proc/self/status";

function peak() {
  const [, own] = /^VmHWM:\s+(\d+) kB$/m.exec(existsSync(STATUS) ? readFileSync(STATUS, "utf8") : "") ?? [];
  return Number(own ?? process.resourceUsage().maxRSS) / 1024;
}

process.on("exit", () => {
  const { MOONPACK_TEST_PEAK: file } = process.env;
  if (file) writeFileSync(file, String(peak()));
});
