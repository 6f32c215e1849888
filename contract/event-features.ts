/**
 * The switches of an event. A new one needs an entry here, a migration with its column, its messages (`switch_…`, and the
 * label of its setting), and a line in the docs of events and settings.
 */

type EventFeature = {
  /** What the switch does, for the documents of the API. */
  description: string
  /** The default of the setting for new events. */
  isOn: boolean
  /** The default of a separate setting, for events that are created in the admin app or by `proofroom share`. */
  isOnInApp?: boolean
  /** Where forms show it; `kinds`: the kinds of feedback. */
  group: 'downloads' | 'uploads' | 'feedback' | 'kinds'
  /** The place in forms. */
  rank: number
  /** Another switch, without which it has no effect. */
  needs?: string
  /** Another switch that includes it. */
  isIncludedIn?: string
}

/** In the order in which responses have them. */
export const eventFeatures = {
  allow_downloads: { description: 'Guests may download photos', isOn: true, group: 'downloads', rank: 1 },
  watermark_downloads: {
    description: 'Downloads of guests have a watermark',
    isOn: false,
    group: 'downloads',
    rank: 2,
  },
  strip_location: { description: 'Guests get photos without location data', isOn: true, group: 'downloads', rank: 3 },
  moderate_uploads: {
    description: 'Uploads of guests stay hidden until they are approved',
    isOn: false,
    group: 'uploads',
    rank: 1,
  },
  feedback_enabled: {
    description: 'Guests may give the kinds of feedback that are turned on',
    isOn: true,
    group: 'feedback',
    rank: 1,
  },
  allow_ratings: { description: 'Guests may rate photos', isOn: true, group: 'kinds', rank: 4 },
  allow_color_labels: { description: 'Guests may set color labels', isOn: true, group: 'kinds', rank: 5 },
  allow_comments: { description: 'Guests may write comments', isOn: true, group: 'kinds', rank: 6 },
  allow_likes: { description: 'Guests may like photos', isOn: true, group: 'kinds', rank: 3 },
  allow_favorites: { description: 'Guests may mark favorites', isOn: true, group: 'kinds', rank: 2 },
  moderate_comments: {
    description: 'Other guests see a comment after it is approved',
    isOn: true,
    group: 'feedback',
    rank: 7,
    needs: 'allow_comments',
  },
  show_feedback_to_guests: {
    description: 'Guests see the feedback of others',
    isOn: true,
    group: 'feedback',
    rank: 10,
  },
  require_guest_name: {
    description: 'Feedback requires the name of the guest',
    isOn: false,
    group: 'feedback',
    rank: 12,
  },
  ask_guest_name: {
    description: 'Guests are asked for their name once, before their first feedback, and may skip it',
    isOn: false,
    isOnInApp: true,
    group: 'feedback',
    rank: 11,
    isIncludedIn: 'require_guest_name',
  },
  allow_notes: {
    description: 'Guests may write private notes to the photographer',
    isOn: false,
    isOnInApp: true,
    group: 'feedback',
    rank: 8,
  },
  allow_annotations: {
    description: 'Guests may put pins and boxes with a text for the photographer on photos',
    isOn: false,
    group: 'feedback',
    rank: 9,
  },
  keep_versions: {
    description: 'A photo with a new file keeps the earlier one as a version, and guests can approve versions',
    isOn: false,
    group: 'feedback',
    rank: 13,
  },
  allow_signed_pictures: {
    description: 'Signed addresses show pictures of the gallery without a session or a password',
    isOn: false,
    group: 'downloads',
    rank: 5,
  },
  allow_raw_downloads: {
    description:
      'Guests may download the originals of RAW and HEIC files, unless downloads have a watermark or a size limit',
    isOn: false,
    group: 'downloads',
    rank: 4,
  },
} as const satisfies Record<string, EventFeature>

type Features = typeof eventFeatures
export type EventSwitch = keyof Features
/** A switch with a separate setting for events that are created in the app. */
export type AppSwitch = { [K in EventSwitch]: Features[K] extends { isOnInApp: boolean } ? K : never }[EventSwitch]
export type FeatureGroup = EventFeature['group']
type SwitchIn<Group extends FeatureGroup> = {
  [K in EventSwitch]: Features[K] extends { group: Group } ? K : never
}[EventSwitch]

export const eventSwitches = Object.keys(eventFeatures) as EventSwitch[]

export const isAppSwitch = (key: EventSwitch): key is AppSwitch => 'isOnInApp' in eventFeatures[key]
export const appSwitches: AppSwitch[] = eventSwitches.filter(isAppSwitch)

export const getFeature = (key: EventSwitch): EventFeature & { needs?: EventSwitch; isIncludedIn?: EventSwitch } =>
  eventFeatures[key]

/** In the order of responses. */
export const listSwitches = <Group extends FeatureGroup>(...groups: Group[]): Array<SwitchIn<Group>> =>
  eventSwitches.filter((key) => groups.some((group) => eventFeatures[key].group === group)) as Array<SwitchIn<Group>>

/** In the order of forms. */
export const rankSwitches = <Group extends FeatureGroup>(...groups: Group[]): Array<SwitchIn<Group>> =>
  listSwitches(...groups).sort((a, b) => eventFeatures[a].rank - eventFeatures[b].rank)

/** Returns a value for each switch. */
export const mapSwitches = <Value>(
  toValue: (key: EventSwitch, feature: EventFeature) => Value,
): Record<EventSwitch, Value> =>
  Object.fromEntries(eventSwitches.map((key) => [key, toValue(key, eventFeatures[key])])) as Record<EventSwitch, Value>
