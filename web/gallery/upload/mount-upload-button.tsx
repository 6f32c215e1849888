import { render } from 'preact'
import { canUpload } from './open-upload.ts'
import { UploadButton } from './upload-button.tsx'

export function mountUploadButton(main: HTMLElement): void {
  if (!canUpload) return
  const place = document.createElement('div')
  place.className = 'bring-alone'
  main.append(place)
  render(<UploadButton />, place)
}
