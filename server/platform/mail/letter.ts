import { type Html, html } from '../html/html.ts'

/** A mail before it is composed to plain text and HTML. No text in it can add markup or headers. */
export type Letter = {
  locale: string
  subject: string
  blocks: Block[]
  /** Shown above the text, in HTML only. */
  logo?: LetterLogo | null
  /** The color of buttons and the color of the text on them; black and white by default. */
  colors?: LetterColors | null
}

export type LetterLogo = { url: string; name: string; width: number; height: number }
export type LetterColors = { button: string; text: string }

export type Block =
  | { paragraph: string[] }
  | { button: string; url: string }
  /** `source`: such as `cid:photo-7@proofroom` for a picture that is attached when the mail is sent. `url`: of its name. */
  | { picture: string; source: string; url: string; width: number; height: number }
  /** A link in small type at the end. */
  | { footnote: string; url: string }
  /** The label before a placeholder. The credential itself is inserted when the mail is sent. */
  | { credential: string }
  | { credentialButton: string }

export type ComposedMail = { subject: string; text: string; html: string }

/** Placeholder of the credential. `toSingleLine` removes it from all other text, so that no text can forge it. */
export const credentialPlaceholder = '\u001a'

export const maskedCredential = '••••••'

export function composeMail(letter: Letter): ComposedMail {
  const subject = toSingleLine(letter.subject)
  return { subject, text: renderText(letter), html: renderHtml(letter, subject) }
}

export const insertCredential = (mail: ComposedMail, credential: string): ComposedMail => ({
  subject: mail.subject,
  text: mail.text.replaceAll(credentialPlaceholder, () => credential),
  html: mail.html.replaceAll(credentialPlaceholder, () => html`${credential}`.text),
})

export const toSingleLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

function renderText({ blocks }: Letter): string {
  const parts = blocks.map((block) => {
    if ('paragraph' in block) return block.paragraph.map(toSingleLine).join('\n')
    if ('button' in block) return `${toSingleLine(block.button)}:\n${toSingleLine(block.url)}`
    if ('footnote' in block) return `${toSingleLine(block.footnote)}: ${toSingleLine(block.url)}`
    if ('picture' in block) return `${toSingleLine(block.picture)}: ${toSingleLine(block.url)}`
    if ('credentialButton' in block) return `${toSingleLine(block.credentialButton)}:\n${credentialPlaceholder}`
    return `${toSingleLine(block.credential)}: ${credentialPlaceholder}`
  })
  return `${parts.join('\n\n')}\n`
}

// Outlook needs tables and ignores classes; most other programs know both. Classes are for dark mode only.
const serif = "font-family:Georgia,'Times New Roman',serif"
const line = 'margin:0 0 18px;font-size:16px;line-height:1.6'
const small = 'margin:0 0 18px;font-size:13px;line-height:1.6;word-break:break-all;color:#6f6a63'
const box = 'padding:8px 14px;background-color:#f4f2ef;border-radius:6px;font-family:Menlo,Consolas,monospace'
const darkStyle = `@media (prefers-color-scheme: dark) {
.ground { background-color: #191715 !important; }
.card { background-color: #262320 !important; color: #ece7e0 !important; }
.small { color: #b3aba1 !important; }
.box { background-color: #191715 !important; color: #ece7e0 !important; }
.plain { background-color: #ece7e0 !important; }
.plain a { color: #191715 !important; }
}`

function renderHtml({ locale, blocks, logo, colors }: Letter, subject: string): string {
  const { text } = html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title>
<style>${darkStyle}</style></head>
<body class="ground" style="margin:0;padding:0;background-color:#f4f2ef">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="card" style="max-width:576px;background-color:#ffffff;border-radius:8px;color:#2b2926;${serif}"><tr><td align="left" style="padding:32px 28px 14px;overflow-wrap:anywhere">
${logo ? renderLogo(logo) : null}${blocks.map((block) => renderBlock(block, colors ?? null))}</td></tr></table>
</td></tr></table>
</body>
</html>
`
  return text
}

/** In dark mode, the class `plain` exchanges them. */
const defaultColors: LetterColors = { button: '#2b2926', text: '#ffffff' }
const maxLogo = { width: 200, height: 64 }

/** Sets width and height as attributes, because some mail programs ignore them in the style. */
function renderLogo({ url, name, width, height }: LetterLogo): Html {
  const scale = Math.min(1, maxLogo.width / width, maxLogo.height / height)
  const shown = (edge: number) => Math.max(1, Math.round(edge * scale))
  return html`<p style="${line}"><img src="${url}" alt="${toSingleLine(name)}" width="${shown(width)}" height="${shown(height)}" border="0"></p>
`
}

function renderBlock(block: Block, colors: LetterColors | null): Html {
  if ('paragraph' in block) {
    const lines = block.paragraph.map((one, index) => [index > 0 && html`<br>`, toSingleLine(one)])
    return html`<p style="${line}">${lines}</p>
`
  }
  if ('button' in block) return renderButton(block.button, toSingleLine(block.url), colors)
  if ('footnote' in block) {
    return html`<p class="small" style="${small}"><a href="${toSingleLine(block.url)}" style="color:inherit">${toSingleLine(block.footnote)}</a></p>
`
  }
  if ('picture' in block) return renderPicture(block)
  if ('credentialButton' in block) return renderButton(block.credentialButton, credentialPlaceholder, colors)
  return html`<p style="${line}">${toSingleLine(block.credential)}: <span class="box" style="${box}">${credentialPlaceholder}</span></p>
`
}

const maxPicture = { width: 240, height: 240 }

function renderPicture({ picture, source, url, width, height }: Extract<Block, { picture: string }>): Html {
  const scale = Math.min(1, maxPicture.width / width, maxPicture.height / height)
  const shown = (edge: number) => Math.max(1, Math.round(edge * scale))
  const name = toSingleLine(picture)
  return html`<p style="margin:0 0 6px;font-size:13px;line-height:1.6"><img src="${source}" alt="${name}" width="${shown(width)}" height="${shown(height)}" border="0" style="display:block;border-radius:4px"><a href="${toSingleLine(url)}" class="small" style="color:#6f6a63">${name}</a></p>
`
}

/** The cell has the color too, because Outlook draws no background behind a link. */
function renderButton(label: string, url: string, colors: LetterColors | null): Html {
  const { button, text } = colors ?? defaultColors
  const cell = `background-color:${button};border-radius:6px`
  const link = `display:inline-block;padding:12px 24px;color:${text};font-size:16px;text-decoration:none`
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px"><tr><td${colors ? null : html` class="plain"`} bgcolor="${button}" style="${cell}"><a href="${url}" style="${link}">${toSingleLine(label)}</a></td></tr></table>
<p class="small" style="${small}">${url}</p>
`
}
