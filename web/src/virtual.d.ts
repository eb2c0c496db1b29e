declare module "virtual:ringleader-module" {
    const base64: string;
    export default base64;
}
