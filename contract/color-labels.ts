/** If several colors have the most labels, `dominant_color_label` is the first of green, yellow, red, blue, purple. */
export const colorLabels = ['red', 'yellow', 'green', 'blue', 'purple'] as const
export type ColorLabel = (typeof colorLabels)[number]
