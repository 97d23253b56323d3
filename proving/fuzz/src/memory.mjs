// The limit on memory of a case that V8's own limit, of its heap, does not know: typed arrays and texts of the host.

/** What one case may add to the most memory that the process ever had, in MB. Inputs have 4 KB at most. */
const CASE_MB = 128;

/** A check that throws after a case that took more. */
export function withinMemory(check) {
  return (bytes) => {
    const before = process.resourceUsage().maxRSS;
    const kind = check(bytes);
    const added = (process.resourceUsage().maxRSS - before) / 1024;
    if (added > CASE_MB) throw new Error(`a case of ${bytes.length} bytes took ${added.toFixed(0)} MB of memory`);
    return kind;
  };
}
