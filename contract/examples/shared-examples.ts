import type { PhotoRecord } from '../photos.ts'
import { PickedPhoto } from '../picks.ts'
import { webhookEventDescriptions } from '../webhooks.ts'
import { webhookExample } from './admin-examples.ts'
import { photoExample } from './examples.ts'

const category = {
  id: 7,
  name: 'Dancing',
  slug: 'dancing',
  is_global: false,
  event_id: 42,
  allow_downloads: true,
  sort_order: 0,
  photo_count: 0,
  created_at: '2027-06-20T09:12:44.518Z',
}

const comment = {
  id: 88,
  event_id: 42,
  photo_id: 1001,
  filename: photoExample.filename,
  original_filename: photoExample.original_filename,
  feedback_type: 'comment',
  rating: null,
  color_label: null,
  comment_text: 'A little brighter?',
  status: 'pending',
  guest_id: '0d7f7c1e-6a55-4f0b-9d5e-0c3a1b8e2f41',
  guest_name: 'Ana',
  guest_email: null,
  created_at: '2027-06-21T18:02:11.000Z',
  updated_at: '2027-06-21T18:02:11.000Z',
}

const guest = {
  id: '0d7f7c1e-6a55-4f0b-9d5e-0c3a1b8e2f41',
  name: 'Ana',
  email: null,
  rating_count: 0,
  color_label_count: 0,
  like_count: 0,
  favorite_count: 1,
  comment_count: 1,
  selection_count: 1,
  first_seen_at: '2027-06-21T18:00:00.000Z',
  last_seen_at: '2027-06-21T18:05:30.000Z',
}

const submitted = {
  id: 5,
  number: 1,
  count: 1,
  video_count: 0,
  note: 'For the album',
  created_at: '2027-06-21T18:05:30.000Z',
  done_at: null,
}
const selection = {
  ...submitted,
  guest: { id: guest.id, name: 'Ana', email: null },
  photo_ids: [1001],
  round: null,
  content_sha256: null,
}
const terms = { included: 20, minimum: 20, maximum: 40, due_on: '2027-07-10' }
const galleryPackage = {
  purpose: 'Album',
  ...terms,
  extra_text: '12 €',
  time_zone: 'Europe/Berlin',
  mode: 'each',
  locks_on_submission: true,
}

const round = {
  id: 9,
  event_id: 42,
  guest: selection.guest,
  number: 1,
  state: 'submitted',
  is_current: true,
  revision: 23,
  ...terms,
  count: 23,
  extra_count: 3,
  message: null,
  submitted_at: submitted.created_at,
  locked_at: null,
  locked_by: null,
  selection_id: submitted.id,
  reopening: null,
  reminded_at: null,
  mail: 'yes',
  can_be_reminded: false,
}

const noMarks = { rating: null, color_label: null, is_liked: false }
const contentSha256 = '0f3a9c5be1d27486a9c0f4e2b7d81653c2e90b4a7f6d1838e5a4c9b2d7f01e63'
const agreed = {
  id: submitted.id,
  event_id: 42,
  guest: selection.guest,
  number: 1,
  round: 1,
  created_at: submitted.created_at,
  content_sha256: contentSha256,
  snapshot: {
    event_id: 42,
    event_name: 'Ana & Ben',
    studio_name: 'Studio Light',
    language: 'en',
    round: 1,
    submitted_at: submitted.created_at,
    purpose: galleryPackage.purpose,
    ...terms,
    minimum: 1,
    extra_text: galleryPackage.extra_text,
    extra_count: 0,
    time_zone: galleryPackage.time_zone,
    photos: [
      {
        id: 1001,
        source_filename: 'IMG_1234.CR3',
        version: 1,
        content_hash: photoExample.content_hash,
        ...noMarks,
        rating: 5,
      },
    ],
    other_marks: [{ photo_id: 1002, ...noMarks, is_liked: true }],
  },
  people: {
    guest_name: 'Ana',
    note: 'For the album',
    comments: [{ photo_id: 1001, kind: 'comment', text: comment.comment_text }],
  },
}

const handedIn = { ...submitted, round: null, changed_count: 0 }

const pickedPhoto = {
  ...Object.fromEntries(
    Object.keys(PickedPhoto.properties).map((key) => [key, photoExample[key as keyof PhotoRecord]]),
  ),
  picked_by: [guest.id],
}

const marksExport = { id: 31, format: 'csv', photo_count: 1, created_at: '2027-06-21T19:00:00.000Z', choice: null }

const customer = {
  id: 12,
  name: 'Ana Silva',
  email: 'ana@example.com',
  is_active: true,
  has_password: false,
  events: [{ id: 42, slug: 'wedding-ana-and-ben-2027-06-19', event_name: 'Ana & Ben' }],
  created_at: '2027-06-20T09:12:44.518Z',
  last_login_at: null,
}

const pagination = { page: 1, limit: 50, total: 1, pages: 1 }

const thread = {
  id: 72,
  kind: 'box',
  photo_id: 1001,
  feedback_id: null,
  version: 1,
  number: 1,
  x: 250_000,
  y: 400_000,
  w: 120_000,
  h: 80_000,
  text: 'Please remove the sign',
  state: 'open',
  created_at: comment.created_at,
  settled_at: null,
  message_count: 0,
  event_id: 42,
  original_filename: 'IMG_1234.jpg',
  photo_visibility: 'visible',
  source_filename: 'IMG_1234.CR3',
  status: 'approved',
  guest_id: comment.guest_id,
  guest_name: comment.guest_name,
  guest_email: null,
  settled_by: null,
  messages: [],
}

const version = {
  number: 2,
  is_current: true,
  width: 6000,
  height: 4000,
  note: 'Skin and sky',
  from_at: '2027-07-02T10:00:00.000Z',
  until_at: null,
  filename: '1783764000000_0a1b2c3d.jpg',
  original_filename: 'IMG_1234-retouched.jpg',
  size_bytes: 9_437_184,
  content_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  has_picture: true,
  deleted_at: null,
}

const versions = {
  photo_id: 1001,
  versions: [
    {
      ...version,
      number: 1,
      is_current: false,
      note: null,
      from_at: '2027-06-20T09:12:44.518Z',
      until_at: version.from_at,
      filename: '1781946764518_1b2c3d4e.jpg',
      original_filename: 'IMG_1234.jpg',
      content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    version,
  ],
}

const ana = { guest_id: '3f1c2a60-7d5e-4b8a-9c21-5e0d4f6a7b90', guest_name: 'Ana' }

/** Examples of the routes that both APIs have, by the title of the schema. They are invented, but valid. */
export const sharedExamples: Record<string, Record<string, unknown>> = {
  MarkPhotoReply: { both: { id: 1001, my_rating: 4, my_color_label: 'green' } },
  DeletePhotoReply: { deleted: { id: 1001, deleted: true } },
  DeletePhotosReply: { one: { deleted: 1, ignored: [1002] } },
  ChangePhotosReply: { one: { updated: 1, ignored: [1002] } },
  InitUploadReply: {
    started: {
      uploadId: 'b7e2b8a0f3d14f0d9a4c',
      chunkSize: 10_485_760,
      expectedChunks: 205,
      expiresAt: '2027-06-21T09:12:44.518Z',
    },
  },
  SendChunkReply: { second: { chunkIndex: 1, received: 2, expected: 205, progress: 0, complete: false } },
  GetUploadStatusReply: {
    running: {
      uploadId: 'b7e2b8a0f3d14f0d9a4c',
      filename: 'first-dance.mp4',
      fileSize: 2_147_483_648,
      receivedChunks: 2,
      receivedIndexes: [0, 1],
      expectedChunks: 205,
      progress: 0,
      status: 'in_progress',
      createdAt: '2027-06-20T09:12:44.518Z',
      expiresAt: '2027-06-21T09:12:44.518Z',
    },
  },
  CompleteUploadReply: { photo: { success: true, uploaded: 1, photos: [photoExample] } },
  AbortUploadReply: { aborted: { uploadId: 'b7e2b8a0f3d14f0d9a4c', aborted: true } },
  ListEventCategoriesReply: { one: [category] },
  CreateEventCategory: { dancing: { name: 'Dancing', allow_downloads: true } },
  CreateCategoryReply: { created: category },
  ChangeCategoryReply: { changed: { ...category, allow_downloads: false } },
  DeleteCategoryReply: { deleted: { id: 7, deleted: true } },
  ListPicksReply: {
    one: {
      photos: [pickedPhoto],
      guests: [{ ...guest, pick_count: 1, handed_in: handedIn }],
      has_package: false,
      erased_selection_count: 0,
    },
  },
  ListSelectionsReply: { one: { selections: [selection], pagination } },
  FirstLookBody: { wedding: { about_count: 80, complete_on: '2027-07-12' } },
  FirstLookReply: {
    open: { first_look: { about_count: 80, complete_on: '2027-07-12', completed_at: null } },
    none: { first_look: null },
  },
  PackageBody: { album: galleryPackage },
  PackageReply: { album: { package: galleryPackage }, none: { package: null } },
  RoundList: { one: { rounds: [round], pagination: { ...pagination, limit: 100 } } },
  Round: { submitted: round },
  ReopenRound: { fewer: { message: 'Please choose 20 photos', maximum: 20 } },
  VersionList: { two: versions },
  VersionTotals: { one: { count: 1, size_bytes: 8_388_608 } },
  DeleteVersionReply: { one: { success: true, deleted: 1 } },
  DeleteVersionsReply: { all: { success: true, deleted: 20 } },
  ReviewList: {
    waiting: {
      photos: [
        {
          photo_id: 1001,
          source_filename: 'IMG_1234.CR3',
          version: 2,
          state: 'waiting',
          waiting_for: [ana],
          decisions: [
            {
              version: 1,
              content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
              ...ana,
              decision: 'changes_wanted',
              decided_at: '2027-06-28T18:30:00.000Z',
              is_current: false,
            },
          ],
        },
      ],
      asked_count: 20,
      approved_count: 19,
      pagination: { ...pagination, limit: 100 },
    },
  },
  SelectionDetails: { agreed },
  SelectionDifference: {
    second: {
      from: { number: 1, count: 2 },
      to: { number: 2, count: 2 },
      added: [{ id: 1003, source_filename: 'IMG_1236.CR3', ...noMarks }],
      removed: [{ id: 1002, source_filename: 'IMG_1235.CR3', ...noMarks }],
      changed: [
        { id: 1001, source_filename: 'IMG_1234.CR3', before: noMarks, after: { ...noMarks, color_label: 'green' } },
      ],
    },
  },
  SelectionState: { done: { id: 5, event_id: 42, done_at: '2027-06-22T08:00:00.000Z' } },
  ListExportsReply: { one: { exports: [marksExport], shared_names: { count: 1, names: ['IMG_1234'] } } },
  ListExportChangesReply: { some: { export: marksExport, added: [1002], changed: [1001], removed: [] } },
  ThreadAnswer: { done: { text: 'The sign is gone, please look again' } },
  ThreadState: { done: { state: 'done' } },
  Thread: { one: thread },
  ListThreadsReply: { one: { threads: [thread], pagination } },
  ListNotesReply: {
    one: {
      notes: [
        {
          id: 71,
          event_id: 42,
          photo_id: 1001,
          original_filename: 'IMG_1234.jpg',
          text: 'Please brighten this one',
          status: 'open',
          guest_id: comment.guest_id,
          guest_name: comment.guest_name,
          guest_email: null,
          created_at: comment.created_at,
          done_at: null,
          done_by: null,
        },
      ],
      pagination,
    },
  },
  ListCommentsReply: { one: { feedback: [comment], pagination } },
  ApproveFeedbackReply: { approved: { ...comment, status: 'approved' } },
  HideFeedbackReply: { hidden: { ...comment, status: 'hidden' } },
  DeleteFeedbackReply: { deleted: { id: 88, deleted: true } },
  Customer: { couple: customer },
  CreateCustomerReply: { couple: { ...customer, events: [] } },
  ListCustomersReply: { one: { customers: [customer], pagination } },
  DeleteCustomerReply: { deleted: { id: 12, deleted: true } },
  ListWebhooksReply: { one: [webhookExample] },
  WebhookEventTypeList: {
    one: {
      event_types: [{ type: 'photo.uploaded', description: webhookEventDescriptions['photo.uploaded'], opt_in: false }],
    },
  },
  DeleteWebhookReply: { deleted: { id: 3, deleted: true } },
  QueuedTest: { queued: { enqueued: true, event_type: 'photo.uploaded', delivery_id: 4711 } },
}
