/** How an agent may write the name of an icon: `CalendarCheck`, `calendar_check`, `Calendar check`, `calendar-check`. */
const kebab = (name: string): string =>
  name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase()

/** Names that lucide has given up and that agents still write, with the names of today. */
const formerNames: Readonly<Record<string, string>> = {
  'bar-chart-3': 'chart-column',
  'building-2': 'building-complex',
  'circle-help': 'circle-question-mark',
  edit: 'square-pen',
  filter: 'funnel',
  history: 'rotate-ccw-clock',
  home: 'house',
  music: 'eighth-notes',
  smile: 'face-slightly-smiling',
  'trash-2': 'trash',
  unlock: 'lock-open',
}

/** Names of Material symbols, which the public catalog of A2UI uses, and words that agents use like them. */
const materialNames: Readonly<Record<string, string>> = {
  'account-circle': 'circle-user',
  add: 'plus',
  'arrow-back': 'arrow-left',
  'arrow-forward': 'arrow-right',
  'attach-file': 'paperclip',
  'bar-chart': 'chart-column',
  'calendar-today': 'calendar',
  call: 'phone',
  cancel: 'circle-x',
  chart: 'chart-column',
  chat: 'message-circle',
  'check-circle': 'circle-check',
  close: 'x',
  delete: 'trash',
  description: 'file-text',
  'directions-car': 'car',
  done: 'check',
  edit: 'pencil',
  error: 'circle-alert',
  event: 'calendar-days',
  'expand-less': 'chevron-up',
  'expand-more': 'chevron-down',
  favorite: 'heart',
  'favorite-off': 'heart-off',
  'fitness-center': 'dumbbell',
  flight: 'plane',
  group: 'users',
  help: 'circle-question-mark',
  hotel: 'bed',
  language: 'globe',
  'local-shipping': 'truck',
  location: 'map-pin',
  'location-on': 'map-pin',
  'more-horiz': 'ellipsis',
  'more-vert': 'ellipsis-vertical',
  notifications: 'bell',
  'notifications-off': 'bell-off',
  'open-in-new': 'external-link',
  payment: 'credit-card',
  person: 'user',
  photo: 'image',
  'pie-chart': 'chart-pie',
  place: 'map-pin',
  print: 'printer',
  refresh: 'refresh-cw',
  restaurant: 'utensils',
  schedule: 'clock',
  school: 'graduation-cap',
  share: 'share-2',
  'shopping-bag': 'shopping-cart',
  'show-chart': 'chart-line',
  'skip-next': 'skip-forward',
  'skip-previous': 'skip-back',
  stop: 'square',
  success: 'circle-check',
  'thumb-down': 'thumbs-down',
  'thumb-up': 'thumbs-up',
  train: 'train-front',
  visibility: 'eye',
  'visibility-off': 'eye-off',
  'volume-down': 'volume-1',
  'volume-mute': 'volume',
  'volume-off': 'volume-x',
  'volume-up': 'volume-2',
  warning: 'triangle-alert',
  work: 'briefcase',
}

const mapped = (names: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined

/** The name that lucide has today for a name in a UI Schema document. */
export const lucideName = (written: string): string => mapped(formerNames, kebab(written)) ?? kebab(written)

/** The name that lucide has today for a name in an A2UI document. */
export const lucideNameOfMaterial = (written: string): string =>
  mapped(materialNames, kebab(written)) ?? lucideName(written)
