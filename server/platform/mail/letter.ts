import { type Html, html } from '../html/html.ts'

/** A mail before it is composed to plain text and HTML. No text in it can add markup, lines or headers. */
export type Letter = {
  locale: string
  subject: string
  greeting: string
  blocks: Block[]
  /** Shown above the text, in HTML only. */
  logo?: LetterLogo | null
  signature: string[] | null
}

export type LetterLogo = { url: string; name: string; width: number; height: number }

type Block =
  | { paragraph: string }
  | { button: string; url: string }
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

const toSingleLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

function renderText({ greeting, blocks, signature }: Letter): string {
  const parts = blocks.map((block) => {
    if ('paragraph' in block) return toSingleLine(block.paragraph)
    if ('button' in block) return `${toSingleLine(block.button)}:\n${toSingleLine(block.url)}`
    if ('credentialButton' in block) return `${toSingleLine(block.credentialButton)}:\n${credentialPlaceholder}`
    return `${toSingleLine(block.credential)}: ${credentialPlaceholder}`
  })
  const ending = signature ? [signature.map(toSingleLine).join('\n')] : []
  return `${[toSingleLine(greeting), ...parts, ...ending].join('\n\n')}\n`
}

const page = 'margin:0;padding:24px 12px;background:#f4f2ef;font-family:Georgia,"Times New Roman",serif;color:#2b2926'
const card =
  'max-width:520px;margin:0 auto;padding:32px 28px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere'
const line = 'margin:0 0 18px;font-size:16px;line-height:1.6'
const link =
  'display:inline-block;padding:12px 24px;background:#2b2926;color:#ffffff;border-radius:6px;text-decoration:none;font-size:16px'
const box =
  'display:inline-block;padding:8px 14px;background:#f4f2ef;border-radius:6px;font-family:Menlo,Consolas,monospace'

function renderHtml({ locale, greeting, blocks, signature, logo }: Letter, subject: string): string {
  const { text } = html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="${page}">
<div style="${card}">
${logo ? renderLogo(logo) : null}<p style="${line}">${toSingleLine(greeting)}</p>
${blocks.map(renderBlock)}${
  signature &&
  html`<p style="${line};margin:28px 0 0">${signature.map((one, index) => [index > 0 && html`<br>`, toSingleLine(one)])}</p>
`
}</div>
</body>
</html>
`
  return text
}

const maxLogo = { width: 200, height: 64 }

/** Sets width and height as attributes, because some mail programs ignore them in the style. */
function renderLogo({ url, name, width, height }: LetterLogo): Html {
  const scale = Math.min(1, maxLogo.width / width, maxLogo.height / height)
  const shown = (edge: number) => Math.max(1, Math.round(edge * scale))
  return html`<p style="${line}"><img src="${url}" alt="${toSingleLine(name)}" width="${shown(width)}" height="${shown(height)}"></p>
`
}

function renderBlock(block: Block): Html {
  if ('paragraph' in block) {
    return html`<p style="${line}">${toSingleLine(block.paragraph)}</p>
`
  }
  if ('button' in block) return renderButton(block.button, toSingleLine(block.url))
  if ('credentialButton' in block) return renderButton(block.credentialButton, credentialPlaceholder)
  return html`<p style="${line}">${toSingleLine(block.credential)}: <span style="${box}">${credentialPlaceholder}</span></p>
`
}

const renderButton = (
  text: string,
  url: string,
): Html => html`<p style="${line}"><a href="${url}" style="${link}">${toSingleLine(text)}</a></p>
<p style="${line};font-size:13px;word-break:break-all;color:#6f6a63">${url}</p>
`
