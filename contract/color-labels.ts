/** Exactly these; ties of `dominant_color_label` go green, yellow, red, blue, purple. */
export const colorLabels = ['red', 'yellow', 'green', 'blue', 'purple'] as const
export type ColorLabel = (typeof colorLabels)[number]
