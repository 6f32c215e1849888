/** Examples for the OpenAPI description of the gallery API, by the title of the schema. They are invented, but valid. */
export const galleryExamples: Record<string, Record<string, unknown>> = {
  NameGuestBody: { name: { name: 'Zoë', email: 'zoe@example.com' } },
  AskForCompletionMailBody: { address: { email: 'zoe@example.com' } },
  AskForReopeningBody: { early: { message: 'I forgot one photo' } },
  SubmitSelectionBody: { note: { note: 'For the album' } },
  GiveFeedbackBody: {
    rating: { feedback_type: 'rating', rating: 5 },
    favorite: { feedback_type: 'favorite', set: true },
    comment: { feedback_type: 'comment', comment_text: 'A little brighter?', guest_name: 'Zoë' },
  },
  StartThreadBody: {
    box: { kind: 'box', x: 250_000, y: 400_000, w: 120_000, h: 80_000, text: 'Please remove the sign' },
  },
  DecisionBody: {
    approved: { decision: 'approved', guest_name: 'Zoë' },
    changes: { decision: 'changes_wanted', comment: 'Please remove the sign' },
  },
  AnswerGalleryThreadBody: { thanks: { text: 'Yes, exactly that' } },
  ThreadState: { done: { state: 'done' } },
  WriteNoteBody: { gallery: { text: 'Please no black and white' } },
  DownloadListedPhotosBody: { three: { photo_ids: [1001, 1002, 1007] } },
  InitGuestUploadBody: { large: { filename: 'party.mp4', fileSize: 31_457_280 } },
  CompleteGuestUploadBody: { plain: {} },
  SignInCustomerBody: { password: { email: 'ana@example.com', password: 'correct horse battery staple' } },
}
