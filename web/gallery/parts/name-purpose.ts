import { signal } from '@preact/signals'

/** Whether the gallery asks for the name because of a text that the guest has written. */
export const isNameForText = signal(false)
