export type { ChunkedOptions, Progress } from './chunked-upload.ts'
export {
  createProofroom,
  type Event,
  type Photo,
  type Proofroom,
  type ProofroomOptions,
  type ReplacedPhoto,
} from './client.ts'
export type { Download, DownloadOptions } from './download.ts'
export { createGallery, type Gallery, type GalleryOptions, type GalleryPhoto } from './gallery.ts'
export type { CallOptions } from './operation-types.ts'
export type { PagedList } from './paged-list.ts'
export { type ProblemBody, type ProblemDetail, ProofroomError } from './problem.ts'
export type { SidecarMarks, UploadOptions } from './upload.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEnvelope,
  type WebhookType,
  WebhookVerificationError,
} from './verify-webhook.ts'
