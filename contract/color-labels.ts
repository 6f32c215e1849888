/** Exactly these; ties of `dominant_color_label` go green, yellow, red, blue, purple (decisions §3). */
export const colorLabels = ['red', 'yellow', 'green', 'blue', 'purple'] as const
export type ColorLabel = (typeof colorLabels)[number]
