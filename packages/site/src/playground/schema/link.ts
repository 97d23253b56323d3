// Links with a schema and its samples.
import type { LinkForm } from "../shared/link.ts";

/** The content of a link. */
export interface Shared {
  /** The text of the schema. */
  readonly schema: string;
  /** The samples, as text. */
  readonly samples: string;
  /** The text of the older schema. */
  readonly older: string;
  /** The name of the schema that was chosen; "" for the one to begin with. */
  readonly chosen: string;
  /** The name for an inferred schema; "" for the default. */
  readonly name: string;
  /** The headroom for an inferred schema; "" for the default. */
  readonly headroom: string;
}

/** The links of the tab of schemas. */
export const SCHEMA_LINKS: LinkForm<Shared> = {
  tab: "schema",
  parts: ["schema", "samples", "older", "chosen", "name", "headroom"],
  advice: "Shorten the samples: some of them show as much.",
};
