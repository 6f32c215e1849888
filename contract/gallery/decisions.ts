/** Without schemas, because the web apps use these values. */
/** The numbers that requests can name. */
export const versionRange = { minimum: 1, maximum: 1_000_000 }
