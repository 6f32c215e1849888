import { render } from 'preact'
import { mayUpload } from './open-upload.ts'
import { UploadButton } from './upload-button.tsx'

export function offerUpload(main: HTMLElement): void {
  if (!mayUpload) return
  const place = document.createElement('div')
  place.className = 'bring-alone'
  main.append(place)
  render(<UploadButton />, place)
}
