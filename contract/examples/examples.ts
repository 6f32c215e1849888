import { mapSwitches } from '../event-features.ts'
import { type ChangeEventBody, type CreateEventBody, EventListItem, type EventRecord } from '../events.ts'
import type { PhotoRecord } from '../photos.ts'
import type { ProblemCode } from '../problems.ts'

const shareToken = 'kq3Vt0pYx2bLw8sN5dRfA1cJ7hGzE4mU'
const link = {
  slug: 'wedding-ana-and-ben-2027-06-19',
  share_token: shareToken,
  share_url: `https://photos.example.com/gallery/wedding-ana-and-ben-2027-06-19/${shareToken}`,
}

const live: EventRecord = {
  id: 42,
  ...link,
  share_link: `/gallery/wedding-ana-and-ben-2027-06-19/${shareToken}`,
  event_type: 'wedding',
  event_name: 'Ana & Ben',
  event_date: '2027-06-19',
  customer_name: 'Ana Silva',
  customer_email: 'ana@example.com',
  customer_phone: null,
  admin_email: 'studio@example.com',
  welcome_message: 'Thank you for **such a day**!',
  require_password: true,
  expires_at: '2027-09-20T23:59:59.999Z',
  photo_cap: 0,
  theme_preset: 'linen',
  color_theme: 'linen',
  header_style: 'hero',
  typeface: null,
  cover_layout: 'full',
  is_draft: false,
  is_archived: false,
  is_active: true,
  archived_at: null,
  allow_user_uploads: true,
  upload_category_id: 4,
  default_photo_sort: 'capture_date_asc',
  cover_photo_id: 1001,
  cover_focus_x: null,
  cover_focus_y: null,
  watermark_text: null,
  download_max_px: null,
  reveal_at: null,
  guest_session_days: 1,
  language: null,
  has_first_look: false,
  ...mapSwitches((_, { isOn }) => isOn),
  created_at: '2027-06-20T09:12:44.518Z',
  updated_at: '2027-06-22T17:03:10.002Z',
  created_by: 1,
  photo_count: 312,
  video_count: 4,
  total_size: 2_873_411_020,
  total_views: 87,
  total_downloads: 41,
}

const listItem = Object.fromEntries(
  Object.entries(live).filter(([key]) => key in EventListItem.properties),
) as EventListItem

export const photoExample: PhotoRecord = {
  id: 1001,
  filename: '1813483964518_9f2c41ab.jpg',
  original_filename: 'DSC_0417.jpg',
  source_filename: 'DSC_0417.jpg',
  path: 'wedding-ana-and-ben-2027-06-19/1813483964518_9f2c41ab.jpg',
  thumbnail_path: '1813483964518_9f2c41ab_thumb.jpg',
  size_bytes: 9_210_932,
  type: null,
  category_id: 1,
  category: 'Ceremony',
  width: 6000,
  height: 4000,
  visibility: 'visible',
  average_rating: 4.67,
  feedback_count: 3,
  like_count: 2,
  favorite_count: 1,
  comment_count: 0,
  color_labels: { green: 2, red: 1 },
  dominant_color_label: 'green',
  my_rating: 4,
  my_color_label: 'yellow',
  color_label: 'yellow',
  rating: 5,
  client_marked_at: '2027-06-21T18:02:11.204Z',
  my_marked_at: '2027-06-22T07:45:30.917Z',
  media_type: 'image',
  mime_type: 'image/jpeg',
  duration: null,
  captured_at: '2027-06-19T14:31:07.000Z',
  uploaded_at: '2027-06-20T09:12:44.518Z',
  uploaded_by: 'api',
  auto_categorized: false,
  processing_status: 'ready',
  processing_error: null,
  content_hash: '5f3a1c7be29d40868d1f0b6a94c2e7357be0d81f42a96c3be75d108c9fa4263e',
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
}

const wedding: CreateEventBody = {
  event_type: 'wedding',
  event_name: 'Ana & Ben',
  event_date: '2027-06-19',
  customer_name: 'Ana Silva',
  customer_email: 'ana@example.com',
  password: 'summer-in-lisbon',
  expires_at: '2027-09-20',
}
const openDraft: CreateEventBody = {
  event_type: 'portrait',
  event_name: 'Portraits, spring term',
  require_password: false,
  is_draft: true,
}
const longer: ChangeEventBody = { expiration_days: 90, welcome_message: 'All pictures are here now.' }
const newPassword: ChangeEventBody = { password: 'winter-in-porto' }

/** Examples for the OpenAPI description, by the title of the schema. They are invented, but valid. */
export const examples: Record<string, Record<string, unknown>> = {
  CreateEvent: { wedding, openDraft },
  ChangeEvent: { longer, newPassword },
  CreatedEvent: { live: { id: live.id, ...link } },
  ShareLink: { live: link },
  Event: {
    live,
    archived: { ...live, is_archived: true, is_active: false, archived_at: '2027-12-01T08:00:00.000Z' },
  },
  EventList: {
    firstPage: { events: [listItem], pagination: { page: 1, next: null, limit: 20, offset: 0, total: 1, pages: 1 } },
  },
  DeletedEvent: { deleted: { id: live.id, deleted: true } },
  EventTypeList: {
    seeded: {
      eventTypes: [
        { slug_prefix: 'wedding', name: 'Wedding', emoji: '💍', theme_preset: 'linen', header_style: 'hero' },
        { slug_prefix: 'portrait', name: 'Portrait', emoji: '📷', theme_preset: 'slate', header_style: 'minimal' },
      ],
    },
  },
  TokenAccount: {
    lightroom: {
      user: {
        id: 1,
        username: 'nora',
        role: 'editor',
        permissions: ['events.view', 'photos.view', 'photos.edit', 'notes.view'],
      },
      token: {
        id: 2,
        name: 'Lightroom',
        scopes: ['write'],
        reads_notes: true,
        expires_at: null,
        created_at: '2027-06-01T08:00:00.000Z',
      },
    },
  },
  Photo: { marked: photoExample },
  ReplacedPhoto: {
    edited: {
      replaced: true,
      photo: {
        ...photoExample,
        filename: '1813570364002_04be77d1.jpg',
        original_filename: 'DSC_0417-edited.jpg',
        path: 'wedding-ana-and-ben-2027-06-19/1813570364002_04be77d1.jpg',
        thumbnail_path: '1813570364002_04be77d1_thumb.jpg',
        previous_filename: photoExample.filename,
      },
    },
  },
  PictureAddresses: {
    twoWidths: {
      pictures: [
        {
          photo_id: photoExample.id,
          original_filename: photoExample.original_filename,
          media_type: photoExample.media_type,
          width: photoExample.width,
          height: photoExample.height,
          thumbhash: photoExample.thumbhash,
          urls: {
            640: 'https://photos.example.com/pictures/1001/640/1814140800/Vb0pYb6kz0m3rWn4wYtBq2c9Tj5XoQk7d1uGfHs8LEA',
            1280: 'https://photos.example.com/pictures/1001/1280/1814140800/h3XnT0sVw6uQyJ5b8Gk2ZrLd9cPfA4mEoW7iRtN1qYs',
          },
        },
      ],
      expires_at: '2027-06-28T00:00:00.000Z',
      pagination: { page: 1, limit: 50, total: 1, pages: 1 },
    },
  },
  PhotoList: {
    firstPage: {
      photos: [photoExample],
      pagination: { page: 1, next: null, limit: 50, total: 312, pages: 1, filtered: 1 },
    },
  },
}

/** The example of each problem has the code and the text of the problem. These fields are added or replace the text. */
export const problemExtras: Partial<Record<ProblemCode, object>> = {
  VALIDATION_ERROR: {
    error: 'event_name is required.',
    details: [{ path: 'event_name', message: 'is required', kind: 'required' }],
  },
  INSUFFICIENT_SCOPE: { required: 'write', granted: 'read' },
  FILE_TOO_LARGE: { error: 'File too large. Maximum size is 100 MB per file.' },
}
