/** Returns a path without a host: share links may use another host, which does not get the session cookie. */
export const previewPath = ({ share_url }: { share_url: string }): string => `${new URL(share_url).pathname}?as=guest`

/** Returns whether the link has a loopback host, which guests on other machines cannot open. */
export const isLocalLink = (link: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(link).hostname)
