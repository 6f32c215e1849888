import { signal } from '@preact/signals'

/** What the gallery asks for the name for. A decision needs one. */
export const namePurpose = signal<'picks' | 'text' | 'decision'>('picks')
