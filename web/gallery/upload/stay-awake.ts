import { effect } from '@preact/signals'
import { keepAwake } from '../../shared/uploads/keep-awake.ts'
import { isUnderWay } from './uploader.ts'

/** While files are on their way, leaving the page asks first, and the screen stays on. */
export function stayAwake(): void {
  effect(() => keepAwake(isUnderWay.value))
}
