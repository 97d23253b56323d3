import { moonpackLink } from "@moonpack/trpc/client";
import { createTRPCClient, TRPCClientError } from "@trpc/client";

const client = createTRPCClient({ links: [moonpackLink({ url: "/trpc" })] });
const element = (id) => document.querySelector(`#${id}`);

/** Returns a disc with a shadow, 16 x 16 shades of grey, different for each name. */
function draw(name) {
  const turn = [...name].reduce((sum, letter) => sum + letter.codePointAt(0), 0);
  return Uint8Array.from({ length: 256 }, (_, i) => {
    const [x, y] = [(i % 16) - 7.5, Math.floor(i / 16) - 7.5];
    const light = x * Math.cos(turn) + y * Math.sin(turn);
    return Math.hypot(x, y) > 7 ? 20 : 140 + 14 * light;
  });
}

function show({ name, tags, at }, pixels) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  canvas.ariaLabel = name;
  const image = new ImageData(16, 16);
  image.data.set([...pixels].flatMap((shade) => [shade, shade, shade, 255]));
  canvas.getContext("2d").putImageData(image, 0, 0);
  const item = document.createElement("li");
  item.append(canvas, `${name}, ${[...tags].join(" ")}, ${at.toLocaleTimeString()}`);
  element("pictures").append(item);
}

/** All calls for pixels are one request. */
async function showAll() {
  const pictures = await client.list.query();
  const pixels = await Promise.all(pictures.map(({ name }) => client.pixels.query(name)));
  element("pictures").replaceChildren();
  pictures.forEach((picture, i) => {
    show(picture, pixels[i]);
  });
}

document.forms[0].addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, tags } = Object.fromEntries(new FormData(event.target));
  try {
    const at = await client.save.mutate({ name, tags: new Set(tags.split(/[\s,]+/)), pixels: draw(name) });
    element("result").textContent = `saved at ${at.toLocaleTimeString()}`;
    await showAll();
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    element("result").textContent = `${error.data?.code ?? error.cause?.code}: ${error.message}`;
  }
});

await showAll();
