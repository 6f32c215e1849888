import MarkdownIt from 'markdown-it'
import { Html } from '../platform/html/html.ts'

/** HTML in the text is shown as text. Pictures are disabled, because they would reveal visitors to other servers. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false }).disable([
  'image',
  'html_block',
  'html_inline',
  'heading',
  'lheading',
  'code',
  'fence',
  'table',
])
markdown.validateLink = (url) => /^(https?:|mailto:)/i.test(url.trim())
markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('rel', 'noopener noreferrer nofollow')
  tokens[index]?.attrSet('target', '_blank')
  return self.renderToken(tokens, index, options)
}

export const renderWelcomeText = (text: string): Html | null =>
  text.trim() === '' ? null : new Html(`<div class="welcome" dir="auto">${markdown.render(text)}</div>`)

const maxPlainLength = 200

/** Removes the markup, joins all lines and shortens the text, for link previews. */
export function formatPlainWelcome(text: string): string {
  const words = markdown
    .parse(text, {})
    .flatMap(({ children }) => [
      ...(children ?? []).map(({ type, content }) => (type.endsWith('break') ? ' ' : content)),
      ' ',
    ])
  const plain = words.join('').replace(/\s+/g, ' ').trim()
  const characters = [...plain]
  return characters.length > maxPlainLength
    ? `${characters
        .slice(0, maxPlainLength - 1)
        .join('')
        .trimEnd()}…`
    : plain
}
