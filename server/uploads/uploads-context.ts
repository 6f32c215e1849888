import type { AppContext } from '../settings/app-context.ts'
import { createUploadGate, type UploadGate } from './upload-gate.ts'

/** The first argument of the operations of this module. */
export type UploadsContext = AppContext & { uploadGate: UploadGate }

export const withUploads = (ctx: AppContext): UploadsContext => ({ ...ctx, uploadGate: createUploadGate() })
