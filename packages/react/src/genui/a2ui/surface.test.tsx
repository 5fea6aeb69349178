import { SurfaceModel, Surfaces } from '@vitrine/genui/a2ui'
import type { Json } from '@vitrine/protocol'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { A2uiSurface, type A2uiSurfaceProps } from './surface.tsx'

const CATALOG = 'https://a2ui.org/specification/v0_9/basic_catalog.json'

/** The page's HTML for a tree of the nested form, through the engine that the server uses. */
function draw(root: Json, dataModel: Json = {}, props: Partial<A2uiSurfaceProps> = {}, components?: Json): string {
  const surfaces = new Surfaces()
  const create = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: CATALOG, root, dataModel } }
  const more = components ? [{ version: 'v0.9', updateComponents: { surfaceId: 's', components } }] : []
  const { results } = surfaces.apply([create, ...more])
  expect(results.filter(result => !result.ok)).toEqual([])
  const model = new SurfaceModel({ surfaceId: 's', locale: 'en' }, surfaces.snapshot('s')!)
  return renderToStaticMarkup(<A2uiSurface model={model} {...props} />)
}
const one = (
  type: string,
  props: Json = {},
  children: Json[] = [],
  dataModel: Json = {},
  more: Partial<A2uiSurfaceProps> = {},
) => draw({ id: 'root', type, props, children }, dataModel, more)
const text = (id: string, content: string): Json => ({ id, type: 'Text', props: { text: content } })

// These are fetched with the first one that is drawn.
const drawn = (type: string, props: Json, part: string) =>
  vi.waitUntil(() => one(type, props).includes(part), { timeout: 30_000 })
beforeAll(
  () =>
    Promise.all([
      drawn('Table', { rows: [{ a: 'x' }] }, '<table'),
      drawn('DateTimeInput', { value: '', enableDate: true }, '<input'),
      ...['Image', 'Video', 'AudioPlayer'].map(type => drawn(type, { src: 'https://example.com/a' }, 'v-remote')),
    ]),
  60_000,
)

const Hologram = () => <b>floating</b>

describe('A2 components of the catalog', () => {
  it('A2-16 Text and Paragraph draw text, or value', () => {
    expect(one('Text', { text: 'Hello' })).toContain('Hello</p>')
    expect(one('Paragraph', { value: 'World' })).toContain('World</p>')
    expect(one('Text', { text: { path: '/n' } }, [], { n: 42 })).toContain('42</p>')
  })

  it('A2-17 Heading draws its level, below the headings of the page', () => {
    for (const level of [1, 2, 3, 4, 5, 6])
      expect(one('Heading', { text: 'Title', level })).toMatch(
        new RegExp(`<h${Math.min(6, level + 1)} [^>]*v-a2-h${level}`),
      )
  })

  it('A2-18 Column, Row and Stack lay out with justify and align', () => {
    for (const type of ['Column', 'Row', 'Stack']) {
      const html = one(type, { justify: 'spaceBetween', align: 'end' }, [text('a', 'A'), text('b', 'B')])
      expect(html).toContain(`v-a2-${type.toLowerCase()}" data-justify="spaceBetween" data-align="end"`)
      expect(html.indexOf('A</p>')).toBeLessThan(html.indexOf('B</p>'))
    }
  })

  it('A2-19 Divider is a separator, Spacer says nothing', () => {
    expect(one('Divider')).toContain('<hr')
    expect(one('Spacer')).toContain('aria-hidden="true"')
  })

  it('A2-20 Card and A2-21 List draw their children', () => {
    expect(one('Card', {}, [text('a', 'In the card')])).toContain('In the card')
    expect(one('List', { ordered: true }, [text('a', 'First')])).toMatch(/<ol[^>]*><li>.*First/)
    expect(one('List', {}, [text('a', 'First')])).toMatch(/<ul[^>]*><li>/)
  })

  it('A2-22 Button has text or label', () => {
    expect(one('Button', { text: 'Press' })).toMatch(/<button type="button"[^>]*>Press/)
    expect(one('Button', { label: 'Press' })).toMatch(/>Press/)
  })

  it('A2-23 TextField and A2-24 TextArea have label, placeholder and value', () => {
    const field = one('TextField', { label: 'Name', placeholder: 'Ada', value: { path: '/n' } }, [], { n: 'Grace' })
    expect(field).toMatch(
      /<label for="([^"]+)"[^>]*>Name<\/label>.*<input id="\1"[^>]*placeholder="Ada"[^>]*value="Grace"/,
    )
    expect(one('TextField', { label: 'Pin', variant: 'obscured' })).toContain('type="password"')
    expect(one('TextField', { label: 'Age', variant: 'number' })).toContain('type="number"')
    const area = one('TextArea', { label: 'Text', placeholder: 'Write', value: 'x', rows: 7 })
    expect(area).toMatch(/<textarea[^>]*placeholder="Write"[^>]*rows="7"[^>]*>x<\/textarea>/)
  })

  it('A2-25 Checkbox and A2-26 Select show their value', () => {
    expect(one('Checkbox', { label: 'Yes', value: true })).toMatch(/<input[^>]*type="checkbox"[^>]*checked=""/)
    const options = [
      { value: 'a', label: 'Apple' },
      { value: 'b', label: 'Pear' },
    ]
    expect(one('Select', { label: 'Fruit', options, value: 'b' })).toMatch(/<option value="1" selected="">Pear/)
    expect(one('Select', { label: 'Fruit', options, placeholder: 'Choose one' })).toMatch(/selected="">Choose one/)
  })

  it('A2-27 Link opens elsewhere without a handle back; a data: link is a download; others are refused', () => {
    expect(one('Link', { text: 'Go', href: 'https://example.com/' })).toMatch(
      /<a [^>]*href="https:\/\/example.com\/" target="_blank" rel="noopener noreferrer"[^>]*>Go/,
    )
    expect(one('Link', { text: 'File', href: 'data:text/plain,x' })).toContain('download=""')
    const refused = one('Link', { text: 'Bad', href: 'javascript:alert(1)' })
    expect(refused).not.toContain('<a ')
    expect(refused).toContain('This link is not allowed')
  })

  it('A2-28 ProgressBar and A2-29 Badge', () => {
    expect(one('ProgressBar', { value: 5, max: 20, label: 'Upload' })).toMatch(
      /Upload.*25 %.*<progress[^>]*aria-label="Upload" max="20" value="5"/,
    )
    expect(one('Badge', { text: 'New', tone: 'success' })).toContain('data-tone="success">New')
  })

  it('A2-30 Table draws columns and rows, and says how it is sorted', () => {
    const html = one('Table', {
      columns: [{ key: 'a', label: 'First' }, { key: 'b' }],
      rows: [{ a: 'x', b: 1 }, { a: 'y' }],
    })
    expect(html).toMatch(/<th scope="col"[^>]* aria-sort="none"><button [^>]*>First/)
    expect(html.match(/<tr>/g)).toHaveLength(3)
    expect(html).toContain('>x</td>')
  })

  it('US-257 Table says how many rows cannot be shown, and that there are none only when there are none', () => {
    const none = 'There are no rows to show.'
    const columns = [{ key: 'a', label: 'First' }]
    expect(one('Table', { columns, rows: [] })).toContain(none)
    const broken = one('Table', { columns, rows: ['x', 5] })
    expect(broken).toContain('2 rows cannot be shown.')
    expect(broken).not.toContain(none)
    const partly = one('Table', { columns, rows: [{ a: 'x' }, 5] })
    expect(partly).toContain('1 row cannot be shown.')
    expect(partly).toContain('>x</td>')
    expect(one('Table', { columns: [5], rows: [{ a: 'x' }] })).not.toContain('cannot be shown')
    expect(one('Table', { columns: [], rows: [{ a: 'x' }] })).toContain('1 row cannot be shown.')
    expect(one('Table', { columns, rows: [{ a: 'x' }] })).not.toContain('cannot be shown')
  })

  it('A2-31 C10 Image is lazy, with its alternative; one from elsewhere asks first, a forbidden one does not', () => {
    const html = one('Image', { src: 'data:image/png;base64,AA==', alt: 'A hill' })
    expect(html).toMatch(/<img [^>]*alt="A hill" src="data:image\/png;base64,AA==" loading="lazy"/)
    const remote = one('Image', { src: 'https://example.com/a.png', alt: 'A hill' })
    expect(remote).not.toContain('<img')
    expect(remote).toMatch(/A hill.*Image from example\.com/)
    expect(one('Image', { src: 'file:///etc/passwd' })).not.toContain('<img')
  })

  it('the public catalog: Tabs, ChoicePicker, Slider, DateTimeInput, Icon, Video, AudioPlayer (A2-102)', () => {
    const tabs = draw({ id: 'root', type: 'Tabs', props: { tabs: [{ title: 'One', child: 'one' }] } }, {}, {}, [
      text('one', 'Panel'),
    ])
    expect(tabs).toMatch(/role="tab"[^>]*aria-selected="true".*role="tabpanel".*Panel/)
    const options = [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ]
    const picker = one('ChoicePicker', { label: 'Pick', options, value: ['b'], variant: 'multipleSelection' })
    expect(picker).toMatch(/<fieldset[^>]*><legend[^>]*>Pick<\/legend>.*checked=""\/><span>B/)
    expect(one('Slider', { label: 'Size', max: 10, value: 4 })).toMatch(
      /<input [^>]*min="0" max="10"[^>]*type="range"[^>]*value="4"/,
    )
    expect(one('DateTimeInput', { label: 'Day', value: '2030-05-04', enableDate: true })).toContain(
      'value="2030-05-04"',
    )
    expect(one('Icon', { name: { svgPath: 'M0 0h24' } })).toContain('<path d="M0 0h24"')
    expect(one('Icon', { name: { svgPath: 'url(#x)' } })).not.toContain('<path')
    // C10: their host is asked for nothing before a click.
    const video = one('Video', { src: 'https://example.com/a.mp4' })
    expect([video.includes('<video'), video.includes('Video from example.com')]).toEqual([false, true])
    const audio = one('AudioPlayer', { src: 'https://example.com/a.mp3', description: 'Song' })
    expect([audio.includes('<audio'), /Song.*Audio from example\.com/.test(audio)]).toEqual([false, true])
  })

  it('A2-32 an unknown type is a small diagnostic with its name', () => {
    expect(one('Hologram', {})).toContain('Unknown component “Hologram”')
  })

  it('A2-114 a missing child is a quiet placeholder while the run streams and a diagnostic after it', () => {
    const root = { id: 'root', type: 'Column', children: ['nobody'] }
    expect(draw(root, {}, { streaming: true })).toMatch(/v-a2-placeholder" data-missing="nobody"/)
    expect(draw(root)).toContain('The component “nobody” is missing.')
  })

  it('A2-34 read only is the same tree without interaction', () => {
    const root = {
      id: 'root',
      type: 'Column',
      children: [
        { id: 'f', type: 'TextField', props: { label: 'Name', value: 'Ada' } },
        { id: 'b', type: 'Button', props: { text: 'Go' } },
        { id: 'l', type: 'Link', props: { text: 'Away', href: 'https://example.com/' } },
      ],
    }
    const html = draw(root, {}, { readOnly: true })
    expect(html).toMatch(/<input[^>]*disabled=""[^>]*value="Ada"/)
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Go/)
    expect(html).not.toContain('<a ')
    expect(html).toContain('Away')
  })

  it('A2-50 C01 HTML is text wherever an agent puts it', () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    for (const html of [
      one('Text', { text: evil }),
      one('Button', { text: evil }),
      one('TextField', { label: evil, value: evil, placeholder: evil }),
      one('Badge', { text: evil, accessibility: { label: evil } }),
      one('Table', { columns: [{ key: 'a', label: evil }], rows: [{ a: evil }] }),
      one(evil, {}),
    ]) {
      expect(html).not.toMatch(/<script|<img/)
      expect(html).toContain('&lt;img')
    }
  })

  it('A2-133 every input has a name, with or without a label', () => {
    expect(one('TextField', { label: '', value: '' })).toContain('aria-label="root"')
    const html = one('Slider', {
      value: 1,
      max: 2,
      accessibility: { label: 'Loudness', description: 'From low to high' },
    })
    expect(html).toMatch(/aria-label="Loudness"[^>]* aria-describedby="([^"]+)".*<p id="\1"[^>]*>From low to high/)
  })

  it('A2-120 own components are drawn beside the basic ones', () => {
    expect(draw({ id: 'root', type: 'Hologram' }, {}, { renderers: { Hologram } })).toContain('<b>floating</b>')
  })
})

describe('words that deceive', () => {
  it('C08 P-283 no component draws a mark that turns the direction round; what is edited stays as it came', () => {
    const odd = 'Pay \u202E001'
    const words = { text: odd, label: odd, placeholder: odd, description: odd, caption: odd, title: odd, name: odd }
    const more = {
      options: [odd, { value: odd, label: odd }],
      tabs: [{ title: odd, child: 'x' }],
      accessibility: { label: odd, description: odd },
      href: 'https://example.com',
    }
    const shown = ['Text', 'Button', 'Link', 'Badge', 'ProgressBar', 'Table', 'Tabs', 'Card', 'Mystery']
    const inputs = ['TextField', 'Select', 'ChoicePicker', 'Checkbox', 'Slider', 'DateTimeInput']
    for (const type of [...shown, ...inputs]) {
      const table = type === 'Table' && { columns: [{ key: odd, label: odd }], rows: [{ [odd]: odd }] }
      const html = one(type, { ...words, ...more, ...table }, [text('x', odd)], {}, { label: odd })
      expect(html, type).toContain('[U+202E]')
      expect(html, type).not.toContain('\u202e')
    }
    expect(one('TextField', { label: 'Sum', value: odd })).toContain(`value="${odd}"`)
  })
})

describe('A2-343 a button that cannot be pressed yet', () => {
  it('has its reason for whoever asks, before it was pressed', () => {
    const button = {
      id: 'root',
      component: 'Button',
      child: 'label',
      action: { event: { name: 'send' } },
      checks: [{ condition: { call: 'required', args: { value: { path: '/name' } } }, message: 'Type a name first' }],
    }
    const html = draw(button, { name: '' }, {}, [{ id: 'label', component: 'Text', text: 'Send' }])
    const [, described] = /aria-describedby="([^"]+)"/.exec(html) ?? []
    expect(html).toContain(`<span id="${described}" class="v-unseen">Type a name first</span>`)
    expect(html).toContain('title="Type a name first"')
  })
})

const Chip = () => <button type="button">Open</button>

describe('what opens a dialog', () => {
  it('A2-451 what people press opens it by itself, whatever its type is called, and anything else becomes a button', () => {
    const drawModal = (pressed: boolean) => {
      const traits = {
        Modal: { refs: ['trigger', 'content'] },
        Chip: pressed ? { pressed: true as const } : {},
        Text: {},
      }
      const catalog = {
        functions: new Map(),
        has: (type: string) => type in traits,
        traits: (type: string) => traits[type as keyof typeof traits],
      }
      const model = new SurfaceModel({ surfaceId: 's', catalog }, [
        { op: 'create', root: 'root' },
        { op: 'upsert', id: 'root', component: { type: 'Modal', trigger: 'chip', content: 'inside' } },
        { op: 'upsert', id: 'chip', component: { type: 'Chip' } },
        { op: 'upsert', id: 'inside', component: { type: 'Text', text: 'Inside' } },
      ])
      return renderToStaticMarkup(<A2uiSurface model={model} renderers={{ Chip }} />)
    }
    expect(drawModal(false)).toContain('<div class="v-a2-trigger" role="button" tabindex="0"')
    expect(drawModal(true)).toContain('<div class="v-a2-trigger"><button type="button">Open</button></div>')
  })
})
