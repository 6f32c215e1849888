/** The path has no host: the session cookie belongs to this origin, and share links may use another host. */
export const previewPath = ({ share_url }: { share_url: string }): string =>
  `${new URL(share_url).pathname}?as=operator`
