import type { AppContext } from '../settings/app-context.ts'
import { createUploadGate, type UploadGate } from './upload-gate.ts'

export type UploadsContext = AppContext & { uploadGate: UploadGate }

export const withUploads = (ctx: AppContext): UploadsContext => ({ ...ctx, uploadGate: createUploadGate() })
