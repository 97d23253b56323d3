// Decodes hostile bytes apart from the page, which would survive them even if the decoder did not.
import { answerTo, type Bomb } from "./bombs.ts";

addEventListener("message", ({ data }: MessageEvent<Bomb & { readonly index: number }>) => {
  postMessage({ index: data.index, ...answerTo(data) });
});
