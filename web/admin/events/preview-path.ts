/**
 * The gallery as guests see it, for whoever is signed in here: also of a draft, and counted as no visit. By the path
 * alone, since the session is one of this origin, whatever links to guests begin with.
 */
export const previewPath = ({ share_url }: { share_url: string }): string =>
  `${new URL(share_url).pathname}?as=operator`
