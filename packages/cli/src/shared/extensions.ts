/** The type of msgpackr's records. */
const MSGPACKR_RECORDS = 114;

/** Returns what an extension is that another library writes, in brackets; "" if that is not known. */
export function extensionNote(type: number): string {
  return type === MSGPACKR_RECORDS ? " (msgpackr's records: @moonpack/compat/msgpackr reads them)" : "";
}
