// A limit on memory outside V8's heap, which V8's own limit ignores: typed arrays and texts of the host.

/** The most memory, in MB, that one case may add to the peak of the process. Inputs have at most 4 KB. */
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
