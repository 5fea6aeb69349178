import type { Json, JsonObject } from '@vitrine/protocol'

/** A component of the nested form. */
export interface Sketch {
  id: string
  type: string
  props?: JsonObject
  children?: Sketch[]
}

export interface Sample {
  id: string
  group: 'whole' | 'layout' | 'text' | 'input' | 'data' | 'media' | 'helper' | 'check' | 'format'
  title: string
  root: Sketch
  dataModel?: JsonObject
  theme?: JsonObject
}

const n = (id: string, type: string, props: JsonObject = {}, children?: Sketch[]): Sketch => ({
  id,
  type,
  ...(Object.keys(props).length > 0 && { props }),
  ...(children && { children }),
})
const at = (path: string): JsonObject => ({ path })
const call = (name: string, args: JsonObject): JsonObject => ({ call: name, args })
const check = (condition: Json, message: string): JsonObject => ({ condition, message })
const column = (...children: Sketch[]) => n('root', 'Column', {}, children)

/** A label and what a function makes of it: one line a case. */
const cases = (...list: readonly (readonly [label: string, value: Json])[]): Sketch =>
  column(
    ...list.map(([label, value], i) =>
      n(`case-${i}`, 'Row', { justify: 'spaceBetween', align: 'baseline' }, [
        n(`label-${i}`, 'Text', { text: label, variant: 'caption' }),
        n(`value-${i}`, 'Text', { text: value }),
      ]),
    ),
  )

const picture = (from: string, to: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="300" height="200" fill="url(#g)"/><circle cx="215" cy="70" r="26" fill="#fff" opacity=".85"/><path d="M0 200 90 95l60 62 45-38 105 81z" fill="#000" opacity=".28"/></svg>`,
  )}`
const HILLS = picture('#0f766e', '#f59e0b')
const DUSK = picture('#4338ca', '#f472b6')

const rooms: JsonObject[] = [
  { value: 'single', label: 'Single room' },
  { value: 'double', label: 'Double room' },
  { value: 'suite', label: 'Suite with a view of the lake' },
]
const toppings: JsonObject[] = [
  'Basil',
  'Capers',
  'Mushrooms',
  'Olives',
  'Onions',
  'Peppers',
  'Rocket',
  'Tomatoes',
].map(label => ({ value: label.toLowerCase(), label }))
const orders = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `A-${String(1000 + i)}`,
    customer: ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Katherine Johnson', 'Edsger Dijkstra'][i % 5]!,
    items: (i * 7) % 23 || 1,
    total: Math.round(((i * 7919) % 90000) + 500) / 100,
    state: ['open', 'paid', 'sent'][i % 3]!,
  }))
const orderColumns: JsonObject[] = [
  { key: 'id', label: 'Order' },
  { key: 'customer', label: 'Customer' },
  { key: 'items', label: 'Items' },
  { key: 'total', label: 'Total' },
  { key: 'state', label: 'State' },
]

const JUSTIFIED = ['start', 'center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly', 'stretch']
const ALIGNED = ['start', 'center', 'end', 'stretch']

export const samples: readonly Sample[] = [
  {
    id: 'booking',
    group: 'whole',
    title: 'Booking form',
    theme: { primaryColor: '#0f766e' },
    root: n('root', 'Card', {}, [
      n('form', 'Column', {}, [
        n('title', 'Heading', { text: 'Book a room', level: 3 }),
        n('name', 'TextField', {
          label: 'Name',
          placeholder: 'Ada Lovelace',
          value: at('/name'),
          checks: [check(call('required', { value: at('/name') }), 'Please enter your name.')],
        }),
        n('pair', 'Row', {}, [
          n('room', 'Select', { label: 'Room', options: rooms, value: at('/room') }),
          n('arrival', 'DateTimeInput', { label: 'Arrival', value: at('/arrival'), enableDate: true }),
        ]),
        n('nights', 'Slider', { label: 'Nights', min: 1, max: 14, value: at('/nights') }),
        n('breakfast', 'Checkbox', { label: 'With breakfast', value: at('/breakfast') }),
        n('sum', 'Text', {
          text: {
            concat: [
              call('pluralize', {
                value: at('/nights'),
                one: { formatString: `\${/nights} night` },
                other: { formatString: `\${/nights} nights` },
              }),
              // biome-ignore lint/suspicious/noThenProperty: the protocol's own word
              { if: { cond: at('/breakfast'), then: ' with breakfast', else: ' without breakfast' } },
            ],
          },
          variant: 'caption',
        }),
        n('book', 'Button', {
          text: 'Book',
          variant: 'primary',
          checks: [check(call('required', { value: at('/name') }), 'A name is needed to book.')],
          action: { event: { name: 'book', context: { nights: at('/nights') } } },
        }),
      ]),
    ]),
    dataModel: { name: '', room: 'double', arrival: '2030-05-04', nights: 2, breakfast: true },
  },
  {
    id: 'dashboard',
    group: 'whole',
    title: 'Dashboard',
    theme: { primaryColor: '#4338ca' },
    root: column(
      n('top', 'Row', { justify: 'spaceBetween' }, [
        n('title', 'Heading', { text: 'Shop, right now', level: 2 }),
        n('live', 'Badge', { text: 'live', tone: 'success' }),
      ]),
      n(
        'cards',
        'Row',
        {},
        ['orders', 'revenue', 'returns'].map(key =>
          n(`${key}-card`, 'Card', {}, [
            n(`${key}-column`, 'Stack', {}, [
              n(`${key}-label`, 'Text', { text: key[0]!.toUpperCase() + key.slice(1), variant: 'caption' }),
              n(`${key}-value`, 'Heading', {
                text:
                  key === 'revenue'
                    ? call('formatCurrency', { value: at('/revenue'), currency: 'EUR' })
                    : call('formatNumber', { value: at(`/${key}`) }),
                level: 2,
              }),
            ]),
          ]),
        ),
      ),
      n('load', 'ProgressBar', { label: 'Capacity', value: at('/load'), max: 100 }),
      n('latest', 'Table', { columns: orderColumns, rows: at('/latest'), caption: 'Latest orders' }),
    ),
    dataModel: { orders: 1284, revenue: 48210.5, returns: 12, load: 64, latest: orders(4) },
  },
  {
    id: 'flex',
    group: 'layout',
    title: 'Row, Column, Stack',
    root: column(
      n('row', 'Row', { justify: 'spaceBetween', align: 'center' }, [
        n('row-a', 'Text', { text: 'Start of the row' }),
        n('row-b', 'Badge', { text: 'centre' }),
        n('row-c', 'Text', { text: 'End' }),
      ]),
      n('line', 'Divider'),
      n('weights', 'Row', { align: 'stretch' }, [
        n('one', 'Card', { weight: 1 }, [n('one-text', 'Text', { text: 'Weight 1' })]),
        n('two', 'Card', { weight: 2 }, [n('two-text', 'Text', { text: 'Weight 2' })]),
      ]),
      n('stack', 'Stack', {}, [
        n('stack-a', 'Text', { text: 'A stack is a column' }),
        n('stack-b', 'Text', { text: 'whose children stand closely.', variant: 'caption' }),
      ]),
      n('space', 'Spacer', { size: 16 }),
      n('after', 'Text', { text: 'After a spacer of 16' }),
    ),
  },
  {
    id: 'align',
    group: 'layout',
    title: 'justify, align',
    root: column(
      ...JUSTIFIED.map(justify =>
        n(`row-${justify}`, 'Row', { justify }, [
          n(`${justify}-a`, 'Badge', { text: justify }),
          n(`${justify}-b`, 'Badge', { text: 'b' }),
          n(`${justify}-c`, 'Badge', { text: 'c' }),
        ]),
      ),
      n('line', 'Divider'),
      n('aligned', 'Row', { justify: 'spaceEvenly' }, [
        ...ALIGNED.map(align =>
          n(`align-${align}`, 'Card', { weight: 1 }, [
            n(`align-${align}-row`, 'Row', { align }, [
              n(`align-${align}-icon`, 'Icon', { name: 'star' }),
              n(`align-${align}-text`, 'Text', { text: `${align}, in a row that is as high as its highest part` }),
            ]),
          ]),
        ),
      ]),
    ),
  },
  {
    id: 'card',
    group: 'layout',
    title: 'Card, Divider, Spacer',
    root: n('root', 'Card', {}, [
      n('title', 'Heading', { text: 'A card', level: 4 }),
      n('text', 'Paragraph', { text: 'It frames what belongs together.' }),
      n('line', 'Divider'),
      n('foot', 'Row', {}, [
        n('left', 'Text', { text: 'Left', variant: 'caption' }),
        n('gap', 'Spacer'),
        n('right', 'Text', { text: 'Pushed to the right', variant: 'caption' }),
      ]),
    ]),
  },
  {
    id: 'list',
    group: 'layout',
    title: 'List and templates',
    root: column(
      n('steps-title', 'Heading', { text: 'Ordered', level: 5 }),
      n('steps', 'List', { ordered: true }, [
        n('step-1', 'Text', { text: 'Write the components' }),
        n('step-2', 'Text', { text: 'Bind them to the data' }),
        n('step-3', 'Text', { text: 'Send an update' }),
      ]),
      n('notes-title', 'Heading', { text: 'Not ordered', level: 5 }),
      n('notes', 'List', {}, [
        n('note-1', 'Text', { text: 'Texts have bullets' }),
        n('note-2', 'Text', { text: 'Cards have none' }),
      ]),
      n('guests-title', 'Heading', { text: 'One component for each item of a list', level: 5 }),
      n('guests', 'List', { children: { componentId: 'guest', path: '/guests' } }),
    ),
    dataModel: {
      guests: [
        { id: 'ada', name: 'Ada', seat: '1A' },
        { id: 'grace', name: 'Grace', seat: '2C' },
      ],
    },
  },
  {
    id: 'tabs',
    group: 'layout',
    title: 'Tabs',
    root: column(
      n('tabs', 'Tabs', {
        tabs: [
          { title: 'Overview', child: 'overview' },
          { title: 'Details', child: 'details' },
          { title: 'History', child: 'history' },
        ],
      }),
    ),
  },
  {
    id: 'modal',
    group: 'layout',
    title: 'Modal',
    root: column(n('modal', 'Modal', { trigger: 'open', content: 'content' })),
  },
  {
    id: 'text',
    group: 'text',
    title: 'Text, Heading, Paragraph',
    root: column(
      ...[1, 2, 3, 4, 5, 6].map(level => n(`h${level}`, 'Heading', { text: `Heading of level ${level}`, level })),
      n('body', 'Paragraph', {
        text: 'A paragraph is plain text in the nested form. <b>HTML</b> is shown as it is written.',
      }),
      n('caption', 'Text', { text: 'A caption for what is less important', variant: 'caption' }),
    ),
  },
  {
    id: 'markdown',
    group: 'text',
    title: 'Markdown (public form)',
    root: column(
      n('marked', 'Text', {
        text: 'In the public form a text takes **bold**, *emphasis*, `code` and\n\n- lists\n- of items',
      }),
    ),
  },
  {
    id: 'badge',
    group: 'text',
    title: 'Badge',
    root: n(
      'root',
      'Row',
      {},
      ['default', 'success', 'warning', 'danger'].map(tone => n(tone, 'Badge', { text: tone, tone })),
    ),
  },
  {
    id: 'link',
    group: 'text',
    title: 'Link',
    root: column(
      n('web', 'Link', { text: 'A page on the web', href: 'https://a2ui.org/' }),
      n('mail', 'Link', { text: 'Write an e-mail', href: 'mailto:someone@example.com' }),
      n('file', 'Link', { text: 'Download a file', href: 'data:text/plain,Hello' }),
      n('refused', 'Link', { text: 'Refused: javascript', href: 'javascript:alert(1)' }),
    ),
  },
  {
    id: 'button',
    group: 'input',
    title: 'Button',
    root: column(
      n('kinds', 'Row', {}, [
        n('default', 'Button', { text: 'Default' }),
        n('primary', 'Button', { text: 'Primary', variant: 'primary' }),
        n('borderless', 'Button', { text: 'Borderless', variant: 'borderless' }),
      ]),
      n('agree', 'Checkbox', { label: 'I agree', value: at('/agree') }),
      n('guarded', 'Button', {
        text: 'Only when you agree',
        checks: [check(at('/agree'), 'Tick the box first.')],
      }),
      n('open', 'Button', {
        text: 'Open a page (openUrl)',
        action: { functionCall: call('openUrl', { url: 'https://a2ui.org/' }) },
      }),
    ),
    dataModel: { agree: false },
  },
  {
    id: 'text-field',
    group: 'input',
    title: 'TextField, TextArea',
    root: column(
      n('short', 'TextField', { label: 'Short text', placeholder: 'One line', value: at('/short') }),
      n('number', 'TextField', { label: 'Number', variant: 'number', value: at('/number') }),
      n('obscured', 'TextField', { label: 'Password', variant: 'obscured', value: at('/secret') }),
      n('area', 'TextArea', { label: 'Long text', placeholder: 'Several lines', value: at('/long'), rows: 3 }),
      n('described', 'TextField', {
        label: 'With a description',
        value: '',
        accessibility: { description: 'Read out with the field, and shown below it.' },
      }),
    ),
    dataModel: { short: '', number: 42, secret: '', long: '' },
  },
  {
    id: 'checkbox',
    group: 'input',
    title: 'Checkbox',
    root: column(
      n('news', 'Checkbox', { label: 'Send me the newsletter', value: at('/news') }),
      n('terms', 'Checkbox', {
        label: 'I have read the terms, which are long enough to need a second line where there is little room',
        value: at('/terms'),
        checks: [check(at('/terms'), 'Please accept the terms.')],
      }),
    ),
    dataModel: { news: true, terms: false },
  },
  {
    id: 'select',
    group: 'input',
    title: 'Select',
    root: column(
      n('room', 'Select', { label: 'Room', options: rooms, value: at('/room') }),
      n('empty', 'Select', {
        label: 'Nothing chosen yet',
        placeholder: 'Choose a room',
        options: rooms,
        value: at('/other'),
      }),
    ),
    dataModel: { room: 'double', other: '' },
  },
  {
    id: 'choice-picker',
    group: 'input',
    title: 'ChoicePicker',
    root: column(
      n('one', 'ChoicePicker', { label: 'One of them', options: rooms, value: at('/one') }),
      n('chips', 'ChoicePicker', {
        label: 'Several, as chips',
        variant: 'multipleSelection',
        displayStyle: 'chips',
        options: toppings,
        value: at('/several'),
      }),
      n('filtered', 'ChoicePicker', {
        label: 'Several, with a filter',
        variant: 'multipleSelection',
        filterable: true,
        options: toppings,
        value: at('/several'),
      }),
    ),
    dataModel: { one: ['double'], several: ['basil', 'olives'] },
  },
  {
    id: 'slider',
    group: 'input',
    title: 'Slider',
    root: column(
      n('volume', 'Slider', { label: 'Volume', min: 0, max: 100, step: 5, value: at('/volume') }),
      n('shown', 'Text', { text: { formatString: `The volume is \${/volume}.` }, variant: 'caption' }),
    ),
    dataModel: { volume: 35 },
  },
  {
    id: 'date-time',
    group: 'input',
    title: 'DateTimeInput',
    root: column(
      n('date', 'DateTimeInput', { label: 'Date', value: at('/date'), enableDate: true, min: '2030-01-01' }),
      n('time', 'DateTimeInput', { label: 'Time', value: at('/time'), enableTime: true }),
      n('both', 'DateTimeInput', { label: 'Both', value: at('/both'), enableDate: true, enableTime: true }),
      n('instant', 'DateTimeInput', {
        label: 'A point in time',
        value: at('/instant'),
        enableDate: true,
        enableTime: true,
      }),
      n('sent', 'Text', { text: { concat: ['Sent as ', at('/instant')] }, variant: 'caption' }),
    ),
    dataModel: { date: '2030-05-04', time: '09:30', both: '2030-05-04T09:30', instant: '2030-05-04T09:30:00+09:00' },
  },
  {
    id: 'progress',
    group: 'data',
    title: 'ProgressBar',
    root: column(
      n('known', 'ProgressBar', { label: 'Upload', value: at('/done'), max: 20 }),
      n('unknown', 'ProgressBar', { label: 'Nobody knows how long' }),
    ),
    dataModel: { done: 13 },
  },
  {
    id: 'table',
    group: 'data',
    title: 'Table',
    root: column(n('orders', 'Table', { columns: orderColumns, rows: at('/orders'), caption: 'Orders' })),
    dataModel: { orders: orders(6) },
  },
  {
    id: 'long-table',
    group: 'data',
    title: 'Table with 2,000 rows',
    root: column(n('orders', 'Table', { columns: orderColumns, rows: at('/orders') })),
    dataModel: { orders: orders(2000) },
  },
  {
    id: 'image',
    group: 'media',
    title: 'Image',
    root: column(
      n('row', 'Row', {}, [
        n('avatar', 'Image', { src: DUSK, alt: 'An avatar', variant: 'avatar', fit: 'cover' }),
        n('small', 'Image', { src: HILLS, alt: 'Hills, small', variant: 'smallFeature', fit: 'cover' }),
        n('words', 'Text', { text: 'An avatar and a small picture beside their text' }),
      ]),
      n('medium', 'Image', { src: HILLS, alt: 'Hills at noon', variant: 'mediumFeature' }),
      n('large', 'Image', { src: DUSK, alt: 'Hills at dusk, large', variant: 'largeFeature' }),
      n('header', 'Image', { src: DUSK, alt: 'Hills at dusk', variant: 'header', fit: 'cover' }),
      n('refused', 'Image', { src: 'file:///etc/passwd', alt: 'Refused' }),
    ),
  },
  {
    id: 'icon',
    group: 'media',
    title: 'Icon',
    root: n('root', 'Row', {}, [
      ...['home', 'search', 'favorite', 'shoppingCart', 'notifications', 'settings', 'sparkles'].map(name =>
        n(name, 'Icon', { name }),
      ),
      n('path', 'Icon', { name: { svgPath: 'M12 2 2 22h20z' }, accessibility: { label: 'A triangle' } }),
    ]),
  },
  {
    id: 'video',
    group: 'media',
    title: 'Video, AudioPlayer',
    root: column(
      n('film', 'Video', { src: 'https://example.com/film.mp4', description: 'A film of another site' }),
      n('sound', 'AudioPlayer', { src: 'https://example.com/sound.mp3', description: 'A sound' }),
    ),
  },
  {
    id: 'bindings',
    group: 'helper',
    title: 'path, $ref, literal, formatString',
    root: cases(
      ['{"path": "/name"}', at('/name')],
      ['{"$ref": "/items/0"}', { $ref: '/items/0' }],
      ['{"literal": 42}', { literal: 42 }],
      [`{"formatString": "Hi \${/name}"}`, { formatString: `Hi \${/name}` }],
      ['an unknown path is empty', { formatString: `[\${/nothing}]` }],
    ),
    dataModel: { name: 'Ada', items: ['first', 'second'] },
  },
  {
    id: 'logic',
    group: 'helper',
    title: 'if, not, eq, neq, and, or',
    root: cases(
      // biome-ignore lint/suspicious/noThenProperty: the protocol's own word
      ['if', { if: { cond: at('/online'), then: 'Online', else: 'Offline' } }],
      ['not', { not: at('/online') }],
      ['eq', { eq: [at('/count'), 3] }],
      ['neq', { neq: [at('/count'), 3] }],
      ['and', { and: [at('/online'), { eq: [at('/count'), 3] }] }],
      ['or', { or: [false, at('/online')] }],
    ),
    dataModel: { online: true, count: 3 },
  },
  {
    id: 'lists',
    group: 'helper',
    title: 'concat, length, join, map, coalesce',
    root: cases(
      ['concat', { concat: ['Since ', at('/since')] }],
      ['length', { length: at('/people') }],
      ['join', { join: { items: at('/tags'), separator: ', ' } }],
      [
        'map',
        {
          join: {
            items: { map: { from: at('/people'), as: 'p', template: { formatString: `\${/p/name} (\${/p_index})` } } },
            separator: ', ',
          },
        },
      ],
      ['coalesce', { coalesce: [at('/nick'), at('/since'), 'nobody'] }],
    ),
    dataModel: { since: '2030', tags: ['a', 'b', 'c'], people: [{ name: 'Ada' }, { name: 'Grace' }], nick: '' },
  },
  {
    id: 'checks',
    group: 'check',
    title: 'required, email, length, numeric, regex',
    root: column(
      n('name', 'TextField', {
        label: 'required',
        value: at('/name'),
        checks: [check(call('required', { value: at('/name') }), 'This is needed.')],
      }),
      n('mail', 'TextField', {
        label: 'email',
        value: at('/mail'),
        checks: [check(call('email', { value: at('/mail') }), 'That is not an e-mail address.')],
      }),
      n('code', 'TextField', {
        label: 'length, 3 to 5',
        value: at('/code'),
        checks: [check(call('length', { value: at('/code'), min: 3, max: 5 }), 'Three to five characters, please.')],
      }),
      n('age', 'TextField', {
        label: 'numeric, from 18',
        value: at('/age'),
        variant: 'number',
        checks: [check(call('numeric', { value: at('/age'), min: 18 }), 'At least 18.')],
      }),
      n('zip', 'TextField', {
        label: 'regex ^[0-9]{5}$',
        value: at('/zip'),
        checks: [check(call('regex', { value: at('/zip'), pattern: '^[0-9]{5}$' }), 'Five digits, please.')],
      }),
      n('bomb', 'TextField', {
        label: 'regex ^(a+)+$ (runs in a worker, for 50 ms at most)',
        value: at('/bomb'),
        checks: [check(call('regex', { value: at('/bomb'), pattern: '^(a+)+$' }), 'Only the letter a.')],
      }),
    ),
    dataModel: { name: '', mail: 'ada@', code: 'ab', age: 17, zip: '1234', bomb: 'aaa' },
  },
  {
    id: 'logic-calls',
    group: 'check',
    title: 'and, or, not (as calls)',
    root: column(
      n('mail', 'TextField', { label: 'E-mail', value: at('/mail') }),
      n('phone', 'TextField', { label: 'or phone', value: at('/phone') }),
      n('spam', 'Checkbox', { label: 'I am a robot', value: at('/robot') }),
      n('send', 'Button', {
        text: 'Send',
        variant: 'primary',
        checks: [
          check(
            call('and', {
              values: [
                call('or', {
                  values: [call('required', { value: at('/mail') }), call('required', { value: at('/phone') })],
                }),
                call('not', { value: at('/robot') }),
              ],
            }),
            'An e-mail address or a phone number, and no robot.',
          ),
        ],
      }),
    ),
    dataModel: { mail: '', phone: '', robot: false },
  },
  {
    id: 'formats',
    group: 'format',
    title: 'formatString, formatNumber, formatCurrency, formatDate, pluralize',
    root: cases(
      ['formatString', call('formatString', { value: `\${/name} owes \${formatNumber(value: \${/amount})}` })],
      ['formatNumber', call('formatNumber', { value: at('/amount'), decimals: 1 })],
      ['formatCurrency', call('formatCurrency', { value: at('/amount'), currency: 'EUR' })],
      ['formatDate', call('formatDate', { value: at('/when'), format: 'EEEE, d MMMM yyyy' })],
      ['pluralize', call('pluralize', { value: at('/count'), one: 'one item', other: 'several items' })],
    ),
    dataModel: { name: 'Ada', amount: 12345.678, when: '2030-05-04T09:30:00Z', count: 2 },
  },
]

/** Components that are named rather than nested: templates, tabs and dialogs point to them. */
export const named: Readonly<Record<string, readonly Sketch[]>> = {
  list: [
    n('guest', 'Card', {}, [
      n('guest-row', 'Row', { justify: 'spaceBetween' }, [
        n('guest-name', 'Text', { text: at('name') }),
        n('guest-seat', 'Badge', { text: at('seat') }),
      ]),
    ]),
  ],
  tabs: [
    n('overview', 'Text', { text: 'Arrow keys walk the tabs, Home and End go to the ends.' }),
    n('details', 'TextField', { label: 'Kept while you look elsewhere', value: '' }),
    n('history', 'List', {}, [
      n('old-1', 'Text', { text: 'Yesterday: created' }),
      n('old-2', 'Text', { text: 'Today: changed' }),
    ]),
  ],
  modal: [
    n('open', 'Button', { text: 'Show the details' }),
    n('content', 'Column', {}, [
      n('title', 'Heading', { text: 'Details', level: 3 }),
      n('text', 'Paragraph', { text: 'Escape, a click outside or the cross closes it; the focus goes back.' }),
      n('field', 'TextField', { label: 'A field in a dialog', value: '' }),
      n('ok', 'Button', { text: 'Do it', variant: 'primary' }),
    ]),
  ],
}
