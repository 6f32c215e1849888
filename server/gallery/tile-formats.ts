/** Formats a tile of the gallery can have; gallery.css has a class for each, as a page may carry no inline style. */
export const tileFormats = ['1-2', '9-16', '2-3', '3-4', '4-5', '1-1', '5-4', '4-3', '3-2', '16-9', '2-1', '5-2', '3-1']

const logRatios = tileFormats.map((format) => {
  const [across = 1, down = 1] = format.split('-').map(Number)
  return Math.log(across / down)
})

/** The class of the format nearest to a photo's; 3:2 when its size is unknown. */
export function tileFormatClass({ width, height }: { width: number | null; height: number | null }): string {
  const wanted = Math.log((width || 3) / (height || 2))
  const distances = logRatios.map((ratio) => Math.abs(ratio - wanted))
  return `format-${tileFormats[distances.indexOf(Math.min(...distances))]}`
}
