// For the benchmarks, which are TypeScript.
export interface Found {
  readonly executable: string;
  readonly version: string;
}

/** The files of a Hazelcast member; `executable` is Java. */
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

/** The missing runtime, with the command that installs it; undefined if none is missing. */
export function missingRuntime(name: string): Promise<string | undefined>;
