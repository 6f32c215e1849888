/** Returns whether the link has a loopback host, which guests on other machines cannot open. */
export const isLocalLink = (link: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(link).hostname)
