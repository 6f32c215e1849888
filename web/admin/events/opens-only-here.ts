/** Of a link that leads whoever follows it to their own machine, and so opens on that of the service alone. */
export const opensOnlyHere = (link: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(link).hostname)
