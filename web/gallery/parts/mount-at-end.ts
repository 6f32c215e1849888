import { type ComponentChild, render } from 'preact'

export function mountAtEnd(content: ComponentChild): () => void {
  const place = document.createElement('div')
  document.body.append(place)
  render(content, place)
  return () => {
    render(null, place)
    place.remove()
  }
}
