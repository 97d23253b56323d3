/** The result of one benchmark: nanoseconds and allocations per call, and the size of its message. */
export interface GoSample {
  readonly time: number;
  readonly bytes: number;
  readonly allocations: number;
  readonly message: number;
}

/** Reads the line that `go test -bench` prints for one benchmark. */
export function parseSample(output: string): GoSample {
  const lines = output.split("\n").filter((line) => line.startsWith("Benchmark"));
  const [line] = lines;
  if (line === undefined || lines.length > 1) throw new Error(`${lines.length} benchmarks instead of one:\n${output}`);
  // Name and number of calls, then numbers with their units.
  const [, , ...measured] = line.trim().split(/\s+/);
  const value = (unit: string): number => {
    const number = Number(measured[measured.indexOf(unit) - 1]);
    if (Number.isNaN(number)) throw new Error(`no ${unit}: ${line}`);
    return number;
  };
  return {
    time: value("ns/op"),
    bytes: value("B/op"),
    allocations: value("allocs/op"),
    message: value("message-bytes"),
  };
}
