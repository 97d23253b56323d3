// msgpackr declares no types for its build without eval, which exports what its main entry does.
declare module "msgpackr/index-no-eval" {
  export { Packr } from "msgpackr";
}
