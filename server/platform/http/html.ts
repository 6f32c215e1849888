/** A piece of markup that is safe to send. Only `html` and `jsonData` make one. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | null | false | Piece[]

/** Escapes everything that is put in, unless it is itself made by `html`. */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(strings.reduce((text, string, index) => text + render(pieces[index - 1] ?? null) + string))

/** Data for the script of a page, in an element that no browser runs: nothing in it can end that element. */
export const jsonData = (id: string, data: unknown): Html =>
  html`<script type="application/json" id="${id}">${new Html(JSON.stringify(data).replace(/</g, '\\u003c'))}</script>`

function render(piece: Piece): string {
  if (piece === null || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map(render).join('')
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
