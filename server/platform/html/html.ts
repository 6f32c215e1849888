/** Markup that is safe to send. `html` does not escape it, so create it only from escaped text. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | null | false | Piece[]

/** Escapes every inserted value except `Html`. */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(strings.reduce((text, string, index) => text + render(pieces[index - 1] ?? null) + string))

/** Data for a script, in an element that browsers do not run. Escaping `<` keeps the data from ending the element. */
export const jsonData = (id: string, data: unknown): Html =>
  html`<script type="application/json" id="${id}">${new Html(JSON.stringify(data).replace(/</g, '\\u003c'))}</script>`

function render(piece: Piece): string {
  if (piece === null || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map(render).join('')
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
