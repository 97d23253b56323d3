export interface Example {
  /** The path in the repository. */
  readonly page: string;
  readonly line: number;
  readonly fence: string;
  readonly code: string;
}

export function examplesFor(runtime: "node" | "commonjs" | "deno" | "bun" | "page" | "hazelcast" | "redis"): Example[];
export function promised(code: string): string[] | null;
