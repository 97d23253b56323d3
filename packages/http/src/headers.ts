import { invalidArgument } from "moonpack/bytes";

/** Returns the headers of an option. Throws `ERR_INVALID_ARGUMENT` for what is not a list of headers, and for an invalid name or value. */
export function headersOption(given: HeadersInit | undefined): Headers {
  try {
    return new Headers(given);
  } catch (error) {
    throw invalidArgument(`headers cannot be used: ${(error as Error).message}`, error);
  }
}
