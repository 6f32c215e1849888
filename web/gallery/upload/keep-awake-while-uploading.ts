import { effect } from '@preact/signals'
import { keepAwake } from '../../shared/uploads/keep-awake.ts'
import { isInProgress } from './uploader.ts'

export function keepAwakeWhileUploading(): void {
  effect(() => keepAwake(isInProgress.value))
}
