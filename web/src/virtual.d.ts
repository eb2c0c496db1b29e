declare module "virtual:ringleader-module" {
    const base64: string;
    export default base64;
}
declare module "virtual:ringleader-rules" {
    /** The listing of each protocol's rules, by its name. */
    const rules: Record<string, string>;
    export default rules;
}
declare module "virtual:ringleader-bound" {
    const bound: string;
    export default bound;
}
declare module "virtual:ringleader-version" {
    const version: string;
    export default version;
}
