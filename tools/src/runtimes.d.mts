// For the benchmarks, which are TypeScript.
export interface Found {
  readonly executable: string;
  readonly version: string;
}

/** What a Hazelcast member runs with; `executable` is Java. */
export interface FoundMember extends Found {
  /** The version of Java. */
  readonly java: string;
  readonly javac: string;
  readonly jars: { readonly hazelcast: string; readonly sql: string; readonly msgpackCore: string };
}

export function findRuntime(name: "hazelcast"): Promise<FoundMember | undefined>;
export function findRuntime(name: string): Promise<Found | undefined>;

/** The runtime that a test needs. Where it is missing, the test does not run, which is a failure with CI=true. */
export function runtimeFor(test: { skip(note: string): never }, name: "hazelcast"): Promise<FoundMember>;
export function runtimeFor(test: { skip(note: string): never }, name: string): Promise<Found>;

/** What is missing, with the command that installs it; undefined if nothing is. */
export function missingRuntime(name: string): Promise<string | undefined>;
