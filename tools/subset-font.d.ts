declare module 'subset-font' {
  type Options = {
    targetFormat: 'woff2' | 'sfnt'
    variationAxes?: Record<string, number | { min: number; max: number }>
    keepFeatures?: string[]
    noHinting?: boolean
  }
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array<ArrayBuffer>>
}
