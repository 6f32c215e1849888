/** Returns a path without a host: share links may use another host, which does not get the session cookie. */
export const previewPath = ({ share_url }: { share_url: string }): string => `${new URL(share_url).pathname}?as=guest`
