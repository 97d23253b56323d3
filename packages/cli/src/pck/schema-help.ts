/** Describes the SCHEMA argument in help texts. By itself, so that a command's help needs nothing of PCK. */
export const SCHEMA_FILES = `A SCHEMA is a schema document (.json), a module (.ts .js .mts .mjs .cts .cjs)
that exports a schema, or a .pck container, which includes its schema. In a
module, the default export or the only exported schema counts; --export NAME
chooses another.`;
