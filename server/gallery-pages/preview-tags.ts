import { type Html, html } from '../platform/html/html.ts'
import type { LinkPreview } from './cover-picture.ts'
import type { PageFrame } from './page-frame.ts'

export function previewTags({ title, i18n, settings }: PageFrame, preview: LinkPreview, description: string): Html {
  const tag = (property: string, content: string | number) => html`<meta property="${property}" content="${content}">\n`
  const studio = settings.branding_studio_name
  return html`${[
    tag('og:type', 'website'),
    tag('og:title', title),
    tag('og:url', preview.url),
    tag('og:locale', i18n.locale),
    studio !== '' && tag('og:site_name', studio),
    description !== '' && tag('og:description', description),
    tag('og:image', preview.pictureUrl),
    tag('og:image:type', 'image/jpeg'),
    tag('og:image:width', preview.width),
    tag('og:image:height', preview.height),
    tag('og:image:alt', title),
  ]}<meta name="twitter:card" content="summary_large_image">
<link rel="alternate" type="application/json+oembed" href="${oembedUrl(preview)}" title="${title}">
`
}

function oembedUrl({ url }: LinkPreview): string {
  const address = new URL('/api/oembed', url)
  address.search = new URLSearchParams({ url, format: 'json' }).toString()
  return address.href
}
