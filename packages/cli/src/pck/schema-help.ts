/** Describes the SCHEMA argument in help texts. It has a separate file, so that the help of a command does not load PCK. */
export const SCHEMA_FILES = `A SCHEMA is a schema document (.json), a module (.ts .js .mts .mjs .cts .cjs)
that exports a schema, or a .pck container, which includes its schema. In a
module, the default export or the only exported schema is used; --export NAME
chooses another.`;
