/** Names of the public catalog, and the ones people use for the same thing, as lucide calls them. */
const synonyms: Readonly<Record<string, string>> = {
  accountCircle: 'circle-user',
  add: 'plus',
  arrowBack: 'arrow-left',
  arrowForward: 'arrow-right',
  attachFile: 'paperclip',
  calendarToday: 'calendar',
  call: 'phone',
  close: 'x',
  delete: 'trash-2',
  edit: 'pencil',
  event: 'calendar-days',
  error: 'circle-alert',
  favorite: 'heart',
  favoriteOff: 'heart-off',
  help: 'circle-question-mark',
  home: 'house',
  locationOn: 'map-pin',
  moreVert: 'ellipsis-vertical',
  moreHoriz: 'ellipsis',
  notificationsOff: 'bell-off',
  notifications: 'bell',
  payment: 'credit-card',
  person: 'user',
  photo: 'image',
  print: 'printer',
  refresh: 'refresh-cw',
  share: 'share-2',
  skipNext: 'skip-forward',
  skipPrevious: 'skip-back',
  stop: 'square',
  visibility: 'eye',
  visibilityOff: 'eye-off',
  volumeDown: 'volume-1',
  volumeMute: 'volume',
  volumeOff: 'volume-x',
  volumeUp: 'volume-2',
  warning: 'triangle-alert',
  trash: 'trash-2',
  location: 'map-pin',
  success: 'circle-check',
  done: 'check',
  schedule: 'clock',
  flight: 'plane',
  hotel: 'bed',
  restaurant: 'utensils',
  directionsCar: 'car',
  train: 'train-front',
  group: 'users',
  work: 'briefcase',
  school: 'graduation-cap',
  fitnessCenter: 'dumbbell',
  place: 'map-pin',
  language: 'globe',
  description: 'file-text',
  chart: 'chart-column',
  barChart: 'chart-column',
  showChart: 'chart-line',
  pieChart: 'chart-pie',
  checkCircle: 'circle-check',
  cancel: 'circle-x',
  thumbUp: 'thumbs-up',
  thumbDown: 'thumbs-down',
  chat: 'message-circle',
  shoppingBag: 'shopping-cart',
  localShipping: 'truck',
  expandMore: 'chevron-down',
  expandLess: 'chevron-up',
  openInNew: 'external-link',
}

const kebab = (name: string) =>
  name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase()

const camel = (name: string) => kebab(name).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export function iconName(name: string): string {
  const key = camel(name)
  return Object.hasOwn(synonyms, key) ? synonyms[key]! : kebab(name)
}
