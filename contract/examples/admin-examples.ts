import { settingDefaults } from '../settings.ts'

const password = 'correct horse battery staple'
const code = '492039'
const hash = '5f3a1c7be29d40868d1f0b6a94c2e7357be0d81f42a96c3be75d108c9fa4263e'
const slug = 'wedding-ana-and-ben-2027-06-19'
const shareToken = 'kq3Vt0pYx2bLw8sN5dRfA1cJ7hGzE4mU'

export const webhookExample = {
  id: 3,
  name: 'n8n',
  url: 'https://n8n.example.com/webhook/photos',
  events: ['photo.uploaded'],
  active: true,
  filter: {},
  template: null,
  secret_preview: 'kq3Vt0pY',
  last_success_at: '2027-06-20T09:12:46.103Z',
  last_failure_at: null,
  consecutive_failures: 0,
  token_id: null,
  ended: false,
  created_at: '2027-06-01T08:00:00.000Z',
  updated_at: '2027-06-01T08:00:00.000Z',
}

const delivery = {
  id: 4711,
  event_type: 'event.published',
  status: 'success',
  attempt_count: 1,
  response_status: 200,
  latency_ms: 38,
  next_retry_at: null,
  last_error: null,
  created_at: '2027-06-20T09:12:46.065Z',
  completed_at: '2027-06-20T09:12:46.103Z',
  replayed_from: null,
}

/** Examples for the OpenAPI description of the admin API, by the title of the schema. They are invented, but valid. */
export const adminExamples: Record<string, Record<string, unknown>> = {
  LetterText: {
    gallery_created: {
      subject: '{event} is ready',
      text: 'Dear {name},\n\nall photos of {event} are here.\n\n{link}\n\n{password}\n\n{signature}',
    },
  },
  SignInBody: { byName: { username: 'admin', password } },
  SignInWithCodeBody: { code: { mfaToken: 'eyJhbGciOiJIUzI1NiJ9.eyJ0eXBlIjoibWZhIn0.c2lnbmVk', code } },
  RefreshSessionBody: { token: { refresh_token: 'eyJhbGciOiJIUzI1NiJ9.eyJ0eXBlIjoicmVmcmVzaCJ9.c2lnbmVk' } },
  SignOutBody: { byCookie: {} },
  SignOutAdminBody: { byCookie: {} },
  EnterGalleryByLinkBody: { link: { slug, token: shareToken } },
  EnterGalleryByPasswordBody: { password: { slug, password: 'summer-in-lisbon' } },
  ChangePasswordBody: { longer: { currentPassword: 'correct horse', newPassword: password } },
  SetUpSecondFactorBody: { password: { password } },
  ConfirmSecondFactorBody: { code: { code } },
  RenewRecoveryCodesBody: { code: { password, code } },
  DisableSecondFactorBody: { code: { password, code } },
  CreateApiTokenBody: { uploads: { name: 'Lightroom', scopes: ['write'], expires_at: '2028-01-01T00:00:00.000Z' } },
  ChangeSettingsBody: { some: { general_default_language: 'de', event_default_download_max_px: 2560 } },
  ChangeSettingsGroupBody: { watermark: { watermark_style: 'corner', watermark_opacity: 50 } },
  Settings: { defaults: settingDefaults },
  ChangeBrandingBody: { colors: { studio_name: 'Studio Löwe', accent: '#7a5c3e', logo: null } },
  Branding: {
    withLogo: {
      studio_name: 'Studio Löwe',
      accent: '#7a5c3e',
      contact_email: 'hello@studio.example.com',
      imprint_url: 'https://studio.example.com/imprint',
      privacy_url: null,
      logo: { url: '/branding/logo.png', width: 800, height: 240, size_bytes: 18_204 },
    },
  },
  DuplicateEventBody: { nextYear: { event_name: 'Ana & Ben, one year later', event_date: '2028-06-19' } },
  ResetEventPasswordBody: { chosen: { password: 'winter-in-porto' } },
  SetEventMembersBody: { two: { user_ids: [3, 5] } },
  ChangeMailServerBody: {
    server: {
      server: {
        host: 'mail.example.com',
        port: 587,
        security: 'starttls',
        user_name: 'photos@example.com',
        password: 'harbor-lights-91',
      },
      sender: 'Studio Löwe <photos@example.com>',
      send_kept: true,
    },
    otherSender: { sender: 'hello@example.com' },
    none: { server: null },
  },
  TestMailServerBody: {
    configured: { to: 'ana@example.com' },
    entered: {
      to: 'ana@example.com',
      server: { host: 'relay.example.com', port: 25, security: 'none', user_name: null },
    },
  },
  ChangePublicAddressBody: { own: { url: 'https://photos.example.com' } },
  ResendEmailBody: { withPassword: { password: 'summer-in-lisbon' } },
  MergeGuestsBody: {
    two: { from: '0d7f7c1e-6a55-4f0b-9d5e-0c3a1b8e2f41', into: 'a1c9c9e2-47b0-4a4c-8f5a-5b1f3f6f0d11' },
  },
  CreateEventTypeBody: { christening: { slug_prefix: 'christening', name: 'Christening', emoji: '🕊️' } },
  ChangeEventTypeBody: { name: { name: 'Weddings' } },
  CreateCategoryBody: { ofOneEvent: { name: 'Dancing', event_id: 42 }, global: { name: 'Details', is_global: true } },
  OrderCategoriesBody: { lastFirst: { category_ids: [8, 7] } },
  ChangeCategoryBody: { noDownloads: { allow_downloads: false } },
  ChangePhotoBody: { hide: { visibility: 'hidden' }, sort: { category_id: 1 } },
  ChangePhotosBody: { hide: { photoIds: [1001, 1002], updates: { visibility: 'hidden' } } },
  TrashPhotosBody: { two: { photoIds: [1001, 1002] } },
  RestoreTrashedPhotosBody: { two: { photoIds: [1001, 1002] } },
  DeleteTrashedPhotosBody: { one: { photoIds: [1001] } },
  MovePhotosBody: { first: { photoIds: [1002], place: 'before', photo_id: 1001 } },
  DeletePhotosBody: { two: { photoIds: [1001, 1002] } },
  FindKnownPhotosBody: { one: { hashes: [hash] } },
  MarkPhotoBody: { both: { rating: 4, color_label: 'green' } },
  ChangeFeedbackSettingsBody: { named: { allow_comments: false, identity_mode: 'guest' } },
  InitUploadBody: { film: { filename: 'first-dance.mp4', fileSize: 2_147_483_648, totalChunks: 205 } },
  CompleteUploadBody: { sorted: { category_id: 3 }, rated: { sidecar: { rating: 4, label: 'Green' } } },
  CreateCustomerBody: { couple: { name: 'Ana Silva', email: 'ana@example.com' } },
  ChangeCustomerBody: { leave: { is_active: false } },
  CreateUser: { colleague: { username: 'nora', email: 'nora@studio.example.com', role: 'editor' } },
  ChangeUserBody: { role: { role: 'admin' } },
  HandOverEventsBody: { to: { to_user_id: 5 } },
  AcceptInvite: { chosen: { password } },
  CreateWebhook: {
    envelopes: { name: 'n8n', url: 'https://n8n.example.com/webhook/photos', events: ['photo.uploaded'] },
    filtered: {
      name: 'Slack',
      url: 'https://hooks.slack.example.com/services/T0/B0/x',
      events: ['event.published', 'event.archived'],
      filter: { 'data.event.event_type': ['wedding', 'portrait'] },
      template: '{"text": "${type}: ${data.event.event_name}"}',
    },
  },
  ChangeWebhookBody: { rest: { active: false } },
  TestWebhookBody: { ofOneType: { event_type: 'photo.uploaded' } },
  PreviewWebhook: {
    text: { event_type: 'event.published', template: '{"text": "${data.event.event_name} is live"}' },
  },
  Webhook: { n8n: webhookExample },
  CreatedWebhook: {
    n8n: { ...webhookExample, last_success_at: null, secret: 'kq3Vt0pYx2bLw8sN5dRfA1cJ7hGzE4mUq9ZtX6vB0nY=' },
  },
  WebhookPreview: { text: { passes: true, content_type: 'application/json', body: '{"text": "Ana & Ben is live"}' } },
  DeliveryList: { one: { deliveries: [delivery], pagination: { page: 1, limit: 25, total: 1, pages: 1 } } },
  Delivery: {
    text: {
      ...delivery,
      webhook_id: 3,
      envelope_id: '0d7f7c1e-6a55-4f0b-9d5e-0c3a1b8e2f41',
      payload: { text: 'Ana & Ben is live' },
      request_body: '{"text": "Ana & Ben is live"}',
      request_headers: {
        'Content-Type': 'application/json',
        'X-Service-Signature': '9c1185a5c5e9fc54612808977ee8f548b2258d31fa1b3a2b2b1d3c6a2e0f4a77',
        'X-Service-Event': 'event.published',
        'X-Service-Delivery': '0d7f7c1e-6a55-4f0b-9d5e-0c3a1b8e2f41',
        'X-Service-Timestamp': '1813482766',
        'X-Service-Sequence': '4711',
        'webhook-id': '0d7f7c1e-6a55-4f0b-9d5e-0c3a1b8e2f41',
        'webhook-timestamp': '1813482766',
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
      response_body: 'ok',
    },
  },
  ActivityList: {
    upload: {
      activity: [
        {
          id: 812,
          at: '2027-06-20T09:12:46.103Z',
          action: 'uploadPhoto',
          outcome: 'done',
          user: { id: 1, username: 'admin' },
          via: 'token',
          token_id: 2,
          address: '203.0.113.0/24',
          event: { id: 42, event_name: 'Ana & Ben' },
          subject: 'photo',
          subject_ids: [1001, 1002],
          count: 2,
        },
      ],
      pagination: { page: 1, limit: 50, total: 1, pages: 1 },
    },
  },
  ProxyFacts: {
    trusted: {
      scheme: 'https',
      host: 'photos.example.com',
      address: '198.51.100.7',
      peer_address: '10.0.0.2',
      public_url: 'https://photos.example.com',
      trust_proxy: '1',
      forwarding_headers: ['x-forwarded-for', 'x-forwarded-proto'],
      now: '2027-06-20T09:12:46.103Z',
    },
  },
}
