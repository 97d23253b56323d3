// Types of msgpackr's build without eval, which has the exports of its main entry.
declare module "msgpackr/index-no-eval" {
  export { Packr } from "msgpackr";
}
