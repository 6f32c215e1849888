/** Shows the photos when the cover above them is loaded, or when the guest scrolls. See gallery.css. */
export function watchCover(): void {
  const cover = document.querySelector<HTMLImageElement>('.cover img:not(.hash)')
  const letCome = () => document.documentElement.classList.add('covered')
  if (!cover || cover.complete) letCome()
  else for (const end of ['load', 'error']) cover.addEventListener(end, letCome, { once: true })
  addEventListener('scroll', letCome, { once: true, passive: true })
}
