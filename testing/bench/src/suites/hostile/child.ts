import { candidates } from "../../candidates/index.js";
import { bombs, bytesOf } from "./bombs.js";

/** What a process prints when the decoder returned or threw. */
export interface Report {
  /** The error's code, or its name if it has none; null for a returned value. */
  readonly error: string | null;
}

// A separate script, since the process may end before it prints anything.
const [candidateId, bombId] = process.argv.slice(2);
const codec = candidates.find(({ id }) => id === candidateId)!.create();
const bytes = bytesOf(bombs.find(({ id }) => id === bombId)!);
let error: string | null = null;
try {
  codec.decode!(bytes);
} catch (thrown) {
  const { code, name } = thrown as Error & { code?: unknown };
  error = typeof code === "string" ? code : name;
}
const report: Report = { error };
process.stdout.write(JSON.stringify(report));
