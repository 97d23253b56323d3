// Does one job. A worker has its own code, feedback and heap, like a process.
import { decode } from "@msgpack/msgpack";
import type { Timing } from "../../../measure/calm.js";
import type { Candidate, Codec, Payload } from "../../../types.js";
import { Random } from "../../../workloads/random.js";
import { answerJobs } from "../../browsers/page/channel.js";
import { ArrivingCopies } from "../../protobuf/inputs.js";
import { sameValue } from "../../protobuf/verify.js";
import { type DocumentIndex, FILES, StoredDocuments } from "../documents.js";
import { drawSequence } from "../sequence.js";
import { ShuffledRuns, workerOf } from "../shuffled-runs.js";
import { verify } from "../verify.js";
import { candidatesInPages, rivalsInPages } from "./candidates.js";
import type { PageJob, PageTimes } from "./job.js";
import { pagePlan } from "./plan.js";

type MixJob = Extract<PageJob, { kind: "mix" }>;

async function work(job: PageJob): Promise<PageTimes> {
  const stored = await fetchDocuments();
  if (job.kind === "mix") return mix(job, stored);
  verify(candidateOf(job.candidate), job.operation, stored, { isEqual: sameValue, decode: decodeIndependently });
  return {};
}

async function fetchDocuments(): Promise<StoredDocuments> {
  const [index, bytes] = await Promise.all([fetchFile(FILES.index), fetchFile(FILES.bytes)]);
  return new StoredDocuments((await index.json()) as DocumentIndex, new Uint8Array(await bytes.arrayBuffer()));
}

/** A file beside the page; the worker itself is in a folder. */
async function fetchFile(name: string): Promise<Response> {
  const response = await fetch(`/${name}`);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response;
}

/** Like a worker of a process, but with a coarse clock, and with Uint8Arrays instead of Buffers. */
function mix({ operation, seed }: MixJob, stored: StoredDocuments): PageTimes {
  const sequence = drawSequence(stored.mixed, pagePlan, seed);
  const workers = candidatesInPages.flatMap((each) => workerOf(each, operation, stored, new ArrivingCopies()) ?? []);
  return new ShuffledRuns(workers, new Random(seed), timeByWall).measure(sequence);
}

/** Pages have no clock of processor time, so interruptions cannot be detected. */
function timeByWall(run: () => void): Timing {
  const start = performance.now();
  run();
  return { milliseconds: performance.now() - start, interrupted: false };
}

function candidateOf(id: string): Candidate {
  const found = candidatesInPages.find((candidate) => candidate.id === id);
  if (found === undefined) throw new RangeError(`no candidate ${id}`);
  return found;
}

function decodeIndependently({ id, format }: Candidate, codec: Codec, payload: Payload): unknown {
  if (format === "json") return codec.decode!(payload);
  const [msgpackr] = rivalsInPages;
  return id === "msgpack-javascript" ? msgpackr!.create().decode!(payload) : decode(payload as Uint8Array);
}

answerJobs(work);
