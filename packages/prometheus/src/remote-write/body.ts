/** The body and the headers of a request of remote write. */
import { Pace } from "../eval/pace.js";
import { mediaTypeOf } from "../text/content-type.js";
import { readWriteRequestInSlices, type WriteRequest } from "./request.js";
import { unpackSnappyInSlices } from "./snappy.js";

/**
 * Returns why a request of this type and encoding is refused (415); undefined if it is remote write 1.0. Headers that are absent are not
 * refused, as in Prometheus.
 */
export function unsupportedWrite(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): string | undefined {
  const { type, parameters } = mediaTypeOf(contentType ?? "application/x-protobuf");
  const message = parameters.get("proto") ?? "prometheus.WriteRequest";
  if (type !== "application/x-protobuf") return `the content type must be application/x-protobuf, not ${type}`;
  if (message !== "prometheus.WriteRequest") return `the message must be prometheus.WriteRequest, not ${message}`;
  const encoding = contentEncoding ?? "snappy";
  return encoding === "snappy" ? undefined : `the content encoding must be snappy, not ${encoding}`;
}

/**
 * Reads the body of a request: {@link unpackSnappyInSlices}, then {@link readWriteRequestInSlices}, with whose errors it rejects. `ERR_LIMIT_BYTES` and
 * `ERR_LIMIT_ELEMENTS` mean that it is too large (413), the others that it is not valid (400).
 */
export async function readWriteBody(body: Uint8Array, maxRawBytes: number): Promise<WriteRequest> {
  const pace = new Pace(undefined, Number.POSITIVE_INFINITY);
  return await readWriteRequestInSlices(await unpackSnappyInSlices(body, maxRawBytes, pace), pace);
}
