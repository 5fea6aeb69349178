import type { Outcome } from '@vitrine/client'
import { CopyButton, Dialog, locales, ProblemNote, useI18n, useVitrine } from '@vitrine/react'
import { useState } from 'react'
import type { Contrast, Theme } from './theme.ts'

export interface Settings {
  theme: Theme
  setTheme: (theme: Theme) => void
  contrast: Contrast
  setContrast: (contrast: Contrast) => void
  locale: string
  setLocale: (locale: string) => void
}

/** Appearance and language, each remembered by this browser, and who may come in. */
export function SettingsDialog({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { t } = useI18n()
  const { theme, setTheme, contrast, setContrast, locale, setLocale } = settings
  return (
    <Dialog label={t('layout.settings')} title={t('layout.settings')} onClose={onClose}>
      <div className="w-settings">
        <Choice
          label={t('theme.label')}
          value={theme}
          onChange={setTheme}
          options={[
            ['system', t('theme.system')],
            ['light', t('theme.light')],
            ['dark', t('theme.dark')],
          ]}
        />
        <Choice
          label={t('theme.contrast')}
          value={contrast}
          onChange={setContrast}
          options={[
            ['system', t('theme.contrastSystem')],
            ['normal', t('theme.contrastNormal')],
            ['more', t('theme.contrastMore')],
          ]}
        />
        <Choice
          label={t('palette.language')}
          value={locale}
          onChange={setLocale}
          options={Object.entries(locales).map(([id, { name }]) => [id, name] as const)}
        />
        <Access />
      </div>
    </Dialog>
  )
}

/** Changing the token asks once more, because it signs people and programs out. */
function Access() {
  const { t } = useI18n()
  const { client } = useVitrine()
  const [asking, setAsking] = useState(false)
  const [outcome, setOutcome] = useState<Outcome<{ url: string }> | null>(null)
  const change = async () => {
    setAsking(false)
    setOutcome(await client.rotateToken())
  }
  return (
    <fieldset>
      <legend className="v-field-label">{t('token.label')}</legend>
      {outcome?.ok && (
        <p role="status">
          {t('token.changed')} <code>{outcome.value.url}</code>
          <CopyButton text={() => outcome.value.url} label={t('token.copy')} />
        </p>
      )}
      {outcome?.ok === false && <ProblemNote title={t('token.failed')} problem={outcome.problem} />}
      {asking ? (
        <>
          <p>{t('token.confirm')}</p>
          <div className="v-actions">
            <button type="button" className="v-button v-danger" onClick={change}>
              {t('token.confirmed')}
            </button>
            <button type="button" className="v-button" onClick={() => setAsking(false)}>
              {t('action.cancel')}
            </button>
          </div>
        </>
      ) : (
        <button type="button" className="v-button" onClick={() => setAsking(true)}>
          {t('token.button')}
        </button>
      )}
    </fieldset>
  )
}

function Choice<T extends string>(props: {
  label: string
  value: T
  options: readonly (readonly [T, string])[]
  onChange: (value: T) => void
}) {
  const { label, value, options, onChange } = props
  return (
    <fieldset>
      <legend className="v-field-label">{label}</legend>
      <div className="w-choice">
        {options.map(([option, name]) => (
          <label key={option} className="v-check">
            <input type="radio" name={label} checked={option === value} onChange={() => onChange(option)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
