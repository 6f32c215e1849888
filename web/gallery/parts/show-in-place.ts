import { type ComponentChild, render } from 'preact'

/** Draws a dialog at the end of the page; answers what takes it away again. */
export function showInPlace(draw: (close: () => void) => ComponentChild): () => void {
  const place = document.createElement('div')
  document.body.append(place)
  const close = () => {
    render(null, place)
    place.remove()
  }
  render(draw(close), place)
  return close
}
