// For tests and benchmarks, which are TypeScript.
import type { FoundMember } from "./runtimes.mjs";

/** How a member is started. */
export interface MemberOptions {
  readonly clusterName: string;
  readonly port: number;
  /** Ports of all members of the cluster, on 127.0.0.1. */
  readonly ports: readonly number[];
  /** Where its configuration is written. */
  readonly folder: string;
  /** Options of Java: memory, compilation. */
  readonly java?: readonly string[];
  /** Folders and jars for Java to find classes in, besides Hazelcast's. */
  readonly classpath?: readonly string[];
  /** SQL needs Jet. Default false. */
  readonly jet?: boolean;
  /** More of the section `hazelcast`, as YAML that is indented by two spaces: maps, serializers. */
  readonly config?: string;
}

/** A member in a separate process. It ends with the process that started it, however that process ends. */
export class Member {
  constructor(parts: FoundMember, options: MemberOptions);
  /** Rejects if it ends before. */
  readonly isStarted: Promise<void>;
  /** Ends it at once, as a crash of its machine does. */
  kill(): Promise<void>;
}

/** Free ports of 127.0.0.1. */
export function freePorts(count: number): Promise<number[]>;
