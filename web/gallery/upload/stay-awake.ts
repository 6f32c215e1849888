import { effect } from '@preact/signals'
import { keepAwake } from '../../shared/uploads/keep-awake.ts'
import { isUnderWay } from './uploader.ts'

export function stayAwake(): void {
  effect(() => keepAwake(isUnderWay.value))
}
