/** Receives requests of remote write 1.0. */
import type { Series } from "@moonpack/series";
import { DecodeError, MoonpackError, printable } from "moonpack/bytes";
import type { MetadataMap } from "../store/metadata.js";
import { writeSamples } from "../store/sample-writer.js";
import { readWriteBody, unsupportedWrite } from "./body.js";
import type { WriteRequest } from "./request.js";
import { declaredSize } from "./snappy.js";

/** Requests may be in work while their unpacked bodies take this many times `maxRawBytes`. */
const BODIES_AT_ONCE = 4;
const TOO_LARGE: ReadonlySet<string> = /* @__PURE__ */ new Set(["ERR_LIMIT_BYTES", "ERR_LIMIT_ELEMENTS"]);
/** The store is full, or closes: senders try again. */
const TRY_AGAIN: ReadonlySet<string> = /* @__PURE__ */ new Set(["ERR_SERIES_FULL", "ERR_CLOSED"]);

/** The bounds of a receiver. */
export interface ReceiverLimits {
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** The largest unpacked body, in bytes. */
  readonly maxRawBytes: number;
}

/** The answer to a request. */
export interface WriteAnswer {
  /** The status of HTTP. */
  readonly status: 204 | 400 | 403 | 413 | 415 | 500 | 503;
  /** The content, one line of text; empty for 204. */
  readonly text: string;
}

/** Returns the value of a header by its name in lower case. */
export type HeaderOf = (name: string) => string | undefined;

/** The number of requests and items since the receiver was created. */
export interface ReceiverCounts {
  /** Requests, by the status of their answer. */
  readonly answers: ReadonlyMap<number, number>;
  /** Samples in the store, staleness markers included. */
  readonly samples: number;
  /** Samples that were not valid, or that the store refused. */
  readonly refused: number;
  /** Valid items that are not kept. */
  readonly histograms: number;
  readonly exemplars: number;
  readonly metadata: number;
}

/** Writes the samples of requests to a store. */
export class WriteReceiver {
  readonly #series: Series;
  readonly #metadata: MetadataMap;
  readonly #limits: ReceiverLimits;
  readonly #answers = new Map<number, number>();
  readonly #counts = { samples: 0, refused: 0, histograms: 0, exemplars: 0, metadata: 0 };
  /** Unpacked bytes of the requests in work. */
  #busyBytes = 0;

  constructor(series: Series, metadata: MetadataMap, limits: ReceiverLimits) {
    this.#series = series;
    this.#metadata = metadata;
    this.#limits = limits;
  }

  get counts(): ReceiverCounts {
    return { answers: this.#answers, ...this.#counts };
  }

  /** Returns the answer to a request that its headers exclude, before its body is read; undefined for others. */
  refusal(header: HeaderOf): WriteAnswer | undefined {
    const { maxBodyBytes } = this.#limits;
    const unsupported = unsupportedWrite(header("content-type"), header("content-encoding"));
    if (unsupported !== undefined) return this.#count(415, unsupported);
    if (Number(header("content-length") ?? 0) > maxBodyBytes)
      return this.#count(413, `the body is larger than ${maxBodyBytes} bytes`);
    return undefined;
  }

  /**
   * Writes the samples of a request to the store, and returns the answer. 204 means that all of them are there, with the durability of the
   * store. With 400 the valid ones are.
   */
  async receive(header: HeaderOf, body: Uint8Array): Promise<WriteAnswer> {
    const refusal = this.refusal(header);
    if (refusal !== undefined) return refusal;
    const { maxBodyBytes, maxRawBytes } = this.#limits;
    if (body.length > maxBodyBytes) return this.#count(413, `the body is larger than ${maxBodyBytes} bytes`);
    let size = 0;
    try {
      size = Math.min(declaredSize(body)[0], maxRawBytes);
    } catch (error) {
      return this.#invalid(error);
    }
    if (this.#busyBytes > 0 && this.#busyBytes + size > BODIES_AT_ONCE * maxRawBytes)
      return this.#count(503, "too many requests at once");
    this.#busyBytes += size;
    try {
      const request = await readWriteBody(body, maxRawBytes).catch((error: unknown) => this.#invalid(error));
      return "status" in request ? request : await this.#write(request);
    } catch (error) {
      return this.#failed(error);
    } finally {
      this.#busyBytes -= size;
    }
  }

  async #write(request: WriteRequest): Promise<WriteAnswer> {
    const counts = this.#counts;
    counts.histograms += request.dropped.histograms;
    counts.exemplars += request.dropped.exemplars;
    counts.metadata += request.dropped.metadata;
    for (const line of request.metadata) if (!this.#metadata.add(line)) counts.metadata++;
    const { accepted, refused, first = request.refused.first } = await writeSamples(this.#series, request);
    counts.samples += accepted;
    const all = refused + request.refused.samples;
    counts.refused += all;
    if (first === undefined) return this.#count(204, "");
    const lost = `${all} samples were refused, ${accepted} were written`;
    return this.#count(400, `${lost}: ${(request.refused.first ?? first).message}`);
  }

  /** The answer to a body that is not valid. */
  #invalid(error: unknown): WriteAnswer {
    if (error instanceof MoonpackError && TOO_LARGE.has(error.code)) return this.#count(413, error.message);
    if (error instanceof DecodeError) return this.#count(400, error.message);
    throw error;
  }

  /** The answer when the store fails. Senders try again: they would drop the samples of a 400. */
  #failed(error: unknown): WriteAnswer {
    if (!(error instanceof MoonpackError)) throw error;
    return this.#count(TRY_AGAIN.has(error.code) ? 503 : 500, `${error.code}: ${error.message}`);
  }

  #count(status: WriteAnswer["status"], text: string): WriteAnswer {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
    return { status, text: printable(text) };
  }
}
