import { type ComponentChild, render } from 'preact'

/** Draws something at the end of the page; answers what takes it away again. */
export function showInPlace(drawn: ComponentChild): () => void {
  const place = document.createElement('div')
  document.body.append(place)
  render(drawn, place)
  return () => {
    render(null, place)
    place.remove()
  }
}
