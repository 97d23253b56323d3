import { io } from "socket.io-client";
import { parser } from "./parser.js";

const socket = io({ parser });
const lines = document.querySelector("#lines");
const form = document.querySelector("form");
const output = document.querySelector("output");

socket.on("line", ({ name, text, picture }) => {
  const item = document.createElement("li");
  item.textContent = `${name}: ${text}`;
  if (picture?.length > 0) {
    const image = new Image();
    image.alt = `A picture of ${name}`;
    image.src = URL.createObjectURL(new Blob([picture]));
    item.append(image);
  }
  lines.append(item);
});
socket.on("connect", () => {
  output.value = "";
});
socket.on("disconnect", (reason) => {
  output.value = `not connected: ${reason}`;
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, text, picture } = Object.fromEntries(new FormData(form));
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const line = bytes.length === 0 ? { name, text } : { name, text, picture: bytes };
  output.value = (await socket.emitWithAck("line", line)) ?? "";
  form.elements.text.value = "";
  form.elements.picture.value = "";
});
