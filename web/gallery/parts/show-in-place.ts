import { type ComponentChild, render } from 'preact'

export function showInPlace(drawn: ComponentChild): () => void {
  const place = document.createElement('div')
  document.body.append(place)
  render(drawn, place)
  return () => {
    render(null, place)
    place.remove()
  }
}
