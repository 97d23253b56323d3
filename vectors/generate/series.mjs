// The vectors of @moonpack/series. A second implementation of the format in that package's tests computes them from the
// format's page (docs/series-format.md); it imports nothing of the library.
import { loadTypeScript } from "./load-typescript.mjs";
import { file } from "./notation.mjs";

const { seriesFiles } = await loadTypeScript("../../packages/series/test/reference/vectors/index.ts");
for (const [name, { about, vectors }] of seriesFiles()) file(`series/${name}`, about, vectors);
