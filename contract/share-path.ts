export type GalleryLink = { slug: string; share_token: string }

/** Returns the path of the page that a share link opens. */
export const sharePath = ({ slug, share_token }: GalleryLink): string => `/gallery/${slug}/${share_token}`
