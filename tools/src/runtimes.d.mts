// For the benchmarks, which are TypeScript.
export interface Found {
  readonly executable: string;
  readonly version: string;
}

export function findRuntime(name: string): Promise<Found | undefined>;
