/** Ties of `dominant_color_label` are resolved in the order green, yellow, red, blue, purple. */
export const colorLabels = ['red', 'yellow', 'green', 'blue', 'purple'] as const
export type ColorLabel = (typeof colorLabels)[number]
