import type { House } from '../settings/house.ts'
import { createUploadGate, type UploadGate } from './upload-gate.ts'

/** What the deeds of this room are given: the house and who is at work on which upload. */
export type UploadsHouse = House & { uploadGate: UploadGate }

export const withUploads = (house: House): UploadsHouse => ({ ...house, uploadGate: createUploadGate() })
