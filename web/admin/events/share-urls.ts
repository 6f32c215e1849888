/** The path has no host: the session cookie belongs to this origin, and share links may use another host. */
export const previewPath = ({ share_url }: { share_url: string }): string =>
  `${new URL(share_url).pathname}?as=operator`

/** Returns whether the link has a loopback host, which guests on other machines cannot open. */
export const isLocalLink = (link: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(link).hostname)
