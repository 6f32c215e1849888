import MarkdownIt from 'markdown-it'
import { type Language, languages } from '../../../contract/languages.ts'
import { Html, html } from '../../platform/html/html.ts'
import { getTranslator } from '../../platform/text/messages.ts'

const markdowns = new Map(languages.map((language) => [language, createMarkdown(language)]))
const plainMarkdown = createMarkdown(null)

/** HTML in the text is shown as text. Pictures are disabled, because they would reveal visitors to other servers. */
function createMarkdown(language: Language | null) {
  const typography = language && { typographer: true, quotes: getTranslator('gallery', language).t('quotationMarks') }
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, ...typography }).disable([
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
  return markdown
}

type Options = { language: Language | null; pageLanguage: Language; moreLabel: string }

/**
 * On a phone, a long text is folded under a line with `moreLabel`. Quotation marks are those of the language of the text
 * or else of the page. Words are hyphenated only if the language of the text is known.
 */
export function renderWelcomeText(text: string, { language, pageLanguage, moreLabel }: Options): Html | null {
  if (text.trim() === '') return null
  const welcome = html`<div class="welcome" dir="auto"${language && html` lang="${language}"`}>${new Html((markdowns.get(language ?? pageLanguage) ?? plainMarkdown).render(text))}</div>`
  return text.length <= maxUnfoldedLength
    ? welcome
    : html`<details class="fold"><summary>${moreLabel}</summary>${welcome}</details>`
}

/** About six lines on a phone. */
const maxUnfoldedLength = 240

const maxPlainLength = 200

/** Removes the markup, joins all lines and shortens the text, for link previews. */
export function formatPlainWelcome(text: string): string {
  const words = plainMarkdown
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
