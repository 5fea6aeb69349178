import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Badge } from './badge.tsx'
import { Button, ButtonLink } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { Choices, RadioGroup } from './choices.tsx'
import { DateTimeInput } from './date-time-input.tsx'
import { Disclosure } from './disclosure.tsx'
import { Field } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { Trash } from './icons.ts'
import { Progress, ProgressBar } from './progress.tsx'
import { Select } from './select.tsx'
import { Slider } from './slider.tsx'
import { StatusDot } from './status-dot.tsx'
import { TabList, TabPanel } from './tabs.tsx'
import { TextArea } from './text-area.tsx'
import { TextInput } from './text-input.tsx'

const html = renderToStaticMarkup
const nothing = () => {}

/** The id that a label, a description or a tab refers to. */
const referred = (markup: string, attribute: string) => new RegExp(`${attribute}="([^"]+)"`).exec(markup)?.[1]

describe('P-296 the controls', () => {
  it('a button does not submit by itself, and an icon button says its name to everybody', () => {
    expect(html(<Button>Save</Button>)).toContain('type="button"')
    expect(html(<Button type="submit">Save</Button>)).toContain('type="submit"')
    expect(html(<ButtonLink href="/x">Open</ButtonLink>)).toMatch(/<a href="\/x"[^>]*>Open<\/a>/)
    const icon = html(<IconButton icon={Trash} label="Delete" keys="Mod+D" />)
    expect(icon).toContain('aria-label="Delete" aria-keyshortcuts="Control+D"')
    expect(icon).toContain('aria-hidden="true"')
  })

  it('a field ties its label, its help and its error to the control', () => {
    const markup = html(
      <Field label="Name" help="As on the ticket" error="Too short" optional>
        {control => <TextInput {...control} value="" onChange={nothing} />}
      </Field>,
    )
    expect(markup).toContain(`id="${referred(markup, 'for')}"`)
    expect(markup).toContain('(optional)')
    const [help, error] = referred(markup, 'aria-describedby')!.split(' ')
    expect(markup).toMatch(new RegExp(`id="${help}"[^>]*>As on the ticket`))
    expect(markup).toMatch(new RegExp(`aria-live="polite"><p id="${error}".*Too short`))
    expect(markup).toContain('aria-invalid="true"')
  })

  it('what is wrong is said aloud when it comes: the place for it is there before', () => {
    const markup = html(<Field label="Name">{control => <TextInput {...control} />}</Field>)
    expect(markup).toContain('aria-live="polite"></div>')
    expect(markup).not.toContain('aria-invalid')
    expect(markup).not.toContain('aria-describedby')
  })

  it('a group has a legend, which may be there for those who listen only', () => {
    const markup = html(
      <Field group label="Colour" labelHidden help="One of these">
        {() => (
          <Choices
            choices={[{ label: 'Red' }, { label: 'Blue', detail: 'Like the sky' }]}
            chosen={[1]}
            onChoose={nothing}
          />
        )}
      </Field>,
    )
    expect(markup).toMatch(/<fieldset[^>]*aria-describedby="[^"]+"[^>]*><legend class="v-unseen"[^>]*>Colour/)
    expect(markup.match(/type="radio"/g)).toHaveLength(2)
    expect(markup).toMatch(/checked=""\/?>.*Blue.*Like the sky/)
    const names = new Set([...markup.matchAll(/name="([^"]+)"/g)].map(match => match[1]))
    expect(names.size).toBe(1)
  })

  it('a setting with a few values is a group of radio buttons', () => {
    const options = [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second', disabled: true, hint: 'Not now' },
    ]
    const markup = html(<RadioGroup label="Order" value="a" options={options} onChange={nothing} />)
    expect(markup).toMatch(/<legend[^>]*>Order<\/legend>/)
    expect(markup).toMatch(/checked=""\/?><span>First/)
    expect(markup).toMatch(/title="Not now"[^>]*><input[^>]*disabled=""/)
  })

  it('a checkbox stands in its label', () => {
    expect(html(<Checkbox label="Yes" checked onCheck={nothing} />)).toMatch(
      /<label[^>]*><input[^>]*type="checkbox"[^>]*\/><span>Yes<\/span><\/label>/,
    )
  })

  it('a select shows what is chosen, or the words for no choice, which can be taken back only where that is meant', () => {
    const options = [{ label: 'A' }, { label: 'A' }]
    const draw = (chosen: number, clearable: boolean) =>
      html(<Select options={options} chosen={chosen} clearable={clearable} empty="Choose" onChoose={nothing} />)
    expect(draw(1, false)).toContain('<option value="1" selected="">A</option>')
    expect(draw(1, false)).not.toContain('Choose')
    expect(draw(-1, false)).toContain('<option value="-1" disabled="" selected="">Choose</option>')
    expect(draw(7, false)).toContain('selected="">Choose')
    expect(draw(0, true)).toContain('<option value="-1">Choose</option>')
  })

  it('what is typed hidden has a button that shows it', () => {
    const markup = html(<TextInput type="password" value="x" onChange={nothing} />)
    expect(markup).toContain('type="password"')
    expect(markup).toContain('aria-label="Show what I typed"')
    expect(markup).toContain('aria-pressed="false"')
    expect(html(<TextInput value="x" onChange={nothing} />)).not.toContain('<button')
  })

  it('code is written without spelling; a date is a date or nothing; a slider says its value in words', () => {
    expect(html(<TextArea code value="" onChange={nothing} />)).toContain('spellCheck="false"')
    expect(html(<DateTimeInput kind="date" value="2030-05-04T10:00" onPick={nothing} />)).toContain(
      'value="2030-05-04"',
    )
    expect(html(<DateTimeInput kind="date" value="soon" onPick={nothing} />)).toContain('value=""')
    expect(html(<Slider value={2} text="2 guests" onSlide={nothing} />)).toContain('aria-valuetext="2 guests"')
  })

  it('one tab can be reached by Tab, and the panel has its name', () => {
    const tabs = html(<TabList id="t" label="Views" titles={['One', 'Two']} active={1} onChoose={nothing} />)
    expect(tabs).toMatch(/role="tablist"[^>]*aria-label="Views"/)
    expect(tabs).toMatch(/id="t-tab-0" aria-selected="false" aria-controls="t-panel" tabindex="-1"/)
    expect(tabs).toMatch(/id="t-tab-1" aria-selected="true" aria-controls="t-panel" tabindex="0"/)
    expect(
      html(
        <TabPanel id="t" active={1}>
          Text
        </TabPanel>,
      ),
    ).toMatch(/role="tabpanel" id="t-panel"[^>]*aria-labelledby="t-tab-1" tabindex="0"/)
  })

  it('progress has its name, and its value when it is known', () => {
    expect(html(<ProgressBar label="Upload" value={0.5} />)).toContain('aria-label="Upload" max="1" value="0.5"')
    expect(html(<Progress label="Upload" caption="Upload" text="Working" />)).not.toContain('value=')
  })

  it('a colour never speaks alone: a badge has words, a dot its name or words beside it', () => {
    expect(
      html(
        <Badge tone="danger" icon={Trash}>
          Gone
        </Badge>,
      ),
    ).toMatch(/data-tone="danger"><svg.*<\/svg>Gone/)
    expect(html(<StatusDot tone="busy" label="Working" />)).toContain('role="img" aria-label="Working"')
    expect(html(<StatusDot tone="busy" />)).toContain('aria-hidden="true"')
  })

  it('what a disclosure holds exists while it is open', () => {
    const draw = (open: boolean) =>
      html(
        <Disclosure summary="More" open={open}>
          {() => 'Hidden words'}
        </Disclosure>,
      )
    expect(draw(false)).not.toContain('Hidden words')
    expect(draw(true)).toMatch(/<details[^>]*open="">.*Hidden words/)
  })
})
