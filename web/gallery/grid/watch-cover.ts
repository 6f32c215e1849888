/** Shows the photos when the cover above them is loaded, or when the guest scrolls. See gallery.css. */
export function watchCover(): void {
  const cover = document.querySelector<HTMLImageElement>('.cover img:not(.hash)')
  const showPhotos = () => document.documentElement.classList.add('covered')
  if (!cover || cover.complete) showPhotos()
  else for (const end of ['load', 'error']) cover.addEventListener(end, showPhotos, { once: true })
  addEventListener('scroll', showPhotos, { once: true, passive: true })
}
