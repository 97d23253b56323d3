// Loaded into the command under test: leaves its peak memory, in MB, where the test looks for it.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { MOONPACK_TEST_PEAK: file } = process.env;
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS / 1024));
});
