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
  'ac-unit': 'snowflake',
  'access-time': 'clock',
  'account-balance': 'landmark',
  'account-circle': 'circle-user',
  add: 'plus',
  air: 'wind',
  alarm: 'alarm-clock',
  analytics: 'chart-column',
  'arrow-back': 'arrow-left',
  'arrow-downward': 'arrow-down',
  'arrow-forward': 'arrow-right',
  'arrow-upward': 'arrow-up',
  'attach-file': 'paperclip',
  'attach-money': 'dollar-sign',
  'bar-chart': 'chart-column',
  block: 'ban',
  bolt: 'zap',
  'bug-report': 'bug',
  build: 'wrench',
  'calendar-today': 'calendar',
  call: 'phone',
  cancel: 'circle-x',
  chart: 'chart-column',
  chat: 'message-circle',
  'check-box': 'square-check',
  'check-circle': 'circle-check',
  clear: 'x',
  close: 'x',
  computer: 'laptop',
  'content-copy': 'copy',
  create: 'pencil',
  dashboard: 'layout-dashboard',
  'date-range': 'calendar-days',
  delete: 'trash',
  description: 'file-text',
  'directions-bike': 'bike',
  'directions-bus': 'bus',
  'directions-car': 'car',
  'directions-run': 'footprints',
  'directions-subway': 'train-front',
  'directions-walk': 'footprints',
  done: 'check',
  edit: 'pencil',
  email: 'mail',
  'emoji-events': 'trophy',
  error: 'circle-alert',
  event: 'calendar-days',
  'expand-less': 'chevron-up',
  'expand-more': 'chevron-down',
  favorite: 'heart',
  'favorite-off': 'heart-off',
  'filter-list': 'funnel',
  'fitness-center': 'dumbbell',
  flight: 'plane',
  forum: 'message-circle',
  grade: 'star',
  'grid-view': 'layout-grid',
  group: 'users',
  help: 'circle-question-mark',
  hotel: 'bed',
  'insert-drive-file': 'file',
  language: 'globe',
  'local-cafe': 'coffee',
  'local-dining': 'utensils',
  'local-fire-department': 'flame',
  'local-shipping': 'truck',
  location: 'map-pin',
  'location-on': 'map-pin',
  login: 'log-in',
  logout: 'log-out',
  memory: 'cpu',
  'more-horiz': 'ellipsis',
  'more-vert': 'ellipsis-vertical',
  movie: 'film',
  'music-note': 'eighth-notes',
  notifications: 'bell',
  'notifications-active': 'bell-ring',
  'notifications-off': 'bell-off',
  'open-in-new': 'external-link',
  payment: 'credit-card',
  person: 'user',
  photo: 'image',
  'photo-camera': 'camera',
  'pie-chart': 'chart-pie',
  place: 'map-pin',
  print: 'printer',
  'priority-high': 'circle-alert',
  public: 'globe',
  'radio-button-unchecked': 'circle',
  'receipt-long': 'receipt',
  refresh: 'refresh-cw',
  remove: 'minus',
  report: 'octagon-alert',
  restaurant: 'utensils',
  savings: 'piggy-bank',
  schedule: 'clock',
  school: 'graduation-cap',
  science: 'test-tube',
  security: 'shield-check',
  sell: 'tag',
  share: 'share-2',
  'shopping-bag': 'shopping-cart',
  'show-chart': 'chart-line',
  'skip-next': 'skip-forward',
  'skip-previous': 'skip-back',
  sms: 'message-square',
  'star-border': 'star',
  stop: 'square',
  storage: 'database',
  success: 'circle-check',
  sync: 'refresh-cw',
  'table-chart': 'table',
  thermostat: 'thermometer',
  'thumb-down': 'thumbs-down',
  'thumb-up': 'thumbs-up',
  today: 'calendar',
  train: 'train-front',
  translate: 'languages',
  tune: 'sliders-horizontal',
  verified: 'badge-check',
  videocam: 'video',
  'view-list': 'list',
  visibility: 'eye',
  'visibility-off': 'eye-off',
  'volume-down': 'volume-1',
  'volume-mute': 'volume',
  'volume-off': 'volume-x',
  'volume-up': 'volume-2',
  'vpn-key': 'key',
  warning: 'triangle-alert',
  'wb-sunny': 'sun',
  work: 'briefcase',
}

const mapped = (names: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined

/** The name that lucide has today for a name in a UI Schema document. */
export const lucideName = (written: string): string => mapped(formerNames, kebab(written)) ?? kebab(written)

/** The name that lucide has today for a name in an A2UI document. */
export const lucideNameOfMaterial = (written: string): string =>
  mapped(materialNames, kebab(written)) ?? lucideName(written)

/** The names of lucide that have a drawing here. The page brings the drawings themselves. */
export const DRAWN_ICONS: readonly string[] = `
  activity alarm-clock archive arrow-down arrow-left arrow-right arrow-up arrow-up-right at-sign award badge-check ban
  banknote battery bed bell bell-off bell-ring bike book bookmark book-open bot box briefcase bug building
  building-complex bus calculator calendar calendar-check calendar-clock calendar-days calendar-plus calendar-x camera
  car chart-bar chart-column chart-line chart-pie check check-check chevron-down chevron-left chevron-right chevron-up
  circle circle-alert circle-check circle-pause circle-play circle-plus circle-question-mark circle-stop circle-user
  circle-x clipboard clipboard-check clipboard-list clock cloud cloud-download cloud-off cloud-rain cloud-upload code
  coffee coins compass contact copy cpu credit-card crown database dollar-sign download dumbbell eighth-notes ellipsis
  ellipsis-vertical euro external-link eye eye-off face-slightly-smiling fast-forward file file-check file-code
  file-image file-plus file-spreadsheet files file-text file-x film flag flame folder folder-open footprints funnel
  gauge gift git-branch git-commit-horizontal git-merge git-pull-request globe graduation-cap hand hard-drive hash
  headphones heart heart-off heart-pulse hotel hourglass house image image-off inbox info key key-round landmark
  languages laptop layers layout-dashboard layout-grid leaf life-buoy lightbulb link list list-checks list-todo loader
  loader-circle lock lock-open log-in log-out mail mail-check mail-open map map-pin megaphone menu message-circle
  message-square mic minus monitor moon mouse-pointer-click navigation newspaper notebook octagon-alert package
  package-check package-x palette paperclip party-popper pause pen pencil percent phone phone-call piggy-bank pin
  plane play plug plus power printer puzzle qr-code quote receipt receipt-text refresh-ccw refresh-cw repeat reply
  rewind rocket rotate-ccw rotate-ccw-clock route rss save scale scan scissors search send server settings settings-2
  share share-2 shield shield-alert shield-check ship shopping-bag shopping-cart shuffle signal siren skip-back
  skip-forward sliders-horizontal smartphone snowflake sparkles square square-check square-pen star star-half star-off
  stethoscope sticky-note store sun sunrise sunset table tag tags target telescope terminal test-tube thermometer
  thumbs-down thumbs-up ticket timer toggle-left toggle-right train-front trash trending-down trending-up
  triangle-alert trophy truck tv umbrella undo upload user user-check user-minus user-plus user-round users user-x
  utensils video volume volume-1 volume-2 volume-x wallet wand-sparkles warehouse watch webhook wifi wifi-off wind
  wrench x zap
`
  .trim()
  .split(/\s+/)

const drawn: ReadonlySet<string> = new Set(DRAWN_ICONS)

/** Whether a name that lucide has today has a drawing here. */
export const isDrawnIcon = (name: string): boolean => drawn.has(name)
