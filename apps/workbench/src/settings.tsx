import type { Outcome } from '@vitrine/client'
import {
  Button,
  CopyButton,
  Dialog,
  locales,
  MediaHosts,
  ProblemNote,
  RadioGroup,
  useI18n,
  useVitrine,
} from '@vitrine/react'
import { type ReactNode, useState } from 'react'
import type { NotifySetting } from './news.ts'
import { navigate } from './router.ts'
import { MODELS, USAGE } from './routes.ts'
import type { Contrast, Theme } from './theme.ts'

export interface Settings {
  theme: Theme
  setTheme: (theme: Theme) => void
  contrast: Contrast
  setContrast: (contrast: Contrast) => void
  locale: string
  setLocale: (locale: string) => void
  /** Whether single letters are shortcuts in messages, lists and cards. */
  letters: boolean
  setLetters: (on: boolean) => void
  notify: NotifySetting
}

/** What this browser remembers: appearance, language, keys and notifications. And who may come in. */
export function SettingsDialog({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { t } = useI18n()
  const { theme, setTheme, contrast, setContrast, locale, setLocale, letters, setLetters, notify } = settings
  return (
    <Dialog label={t('layout.settings')} title={t('layout.settings')} onClose={onClose}>
      <div className="w-settings">
        <RadioGroup
          label={t('theme.label')}
          look="segments"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'system', label: t('theme.system') },
            { value: 'light', label: t('theme.light') },
            { value: 'dark', label: t('theme.dark') },
          ]}
        />
        <RadioGroup
          label={t('theme.contrast')}
          look="segments"
          value={contrast}
          onChange={setContrast}
          options={[
            { value: 'system', label: t('theme.contrastSystem') },
            { value: 'normal', label: t('theme.contrastNormal') },
            { value: 'more', label: t('theme.contrastMore') },
          ]}
        />
        <RadioGroup
          label={t('palette.language')}
          look="segments"
          value={locale}
          onChange={setLocale}
          options={Object.entries(locales).map(([value, { name }]) => ({ value, label: name }))}
        />
        <Switch label={t('settings.letters')} help={t('settings.lettersHelp')} on={letters} onSwitch={setLetters} />
        <Switch
          label={t('settings.notify')}
          help={t(notify.problem ? `settings.notify.${notify.problem}` : 'settings.notifyHelp')}
          on={notify.on}
          onSwitch={on => void notify.set(on)}
        />
        <PageLink legend={t('models.title')} help={t('models.about')} to={MODELS} onGo={onClose}>
          {t('models.connect')}
        </PageLink>
        <PageLink legend={t('usage.title')} help={t('usage.note')} to={USAGE} onGo={onClose}>
          {t('settings.usage')}
        </PageLink>
        <MediaHosts />
        <Access />
      </div>
    </Dialog>
  )
}

/** A page with settings of its own, and what it is for. */
function PageLink(props: { legend: string; help: string; to: string; onGo: () => void; children: ReactNode }) {
  const { legend, help, to, onGo, children } = props
  const go = () => {
    onGo()
    navigate(to)
  }
  return (
    <fieldset>
      <legend className="v-field-label">{legend}</legend>
      <p className="v-field-help">{help}</p>
      <Button onClick={go}>{children}</Button>
    </fieldset>
  )
}

interface SwitchProps {
  label: string
  /** What it does, or why it cannot be on. */
  help: string
  on: boolean
  onSwitch: (on: boolean) => void
}

function Switch({ label, help, on, onSwitch }: SwitchProps) {
  const { t } = useI18n()
  return (
    <div className="w-switch">
      <RadioGroup
        label={label}
        look="segments"
        value={on ? 'on' : 'off'}
        onChange={value => onSwitch(value === 'on')}
        options={[
          { value: 'off', label: t('settings.off') },
          { value: 'on', label: t('settings.on') },
        ]}
      />
      <p className="v-field-help" role="status">
        {help}
      </p>
    </div>
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
      <p className="v-field-help">{t('token.help')}</p>
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
            <Button danger onClick={change}>
              {t('token.confirmed')}
            </Button>
            <Button onClick={() => setAsking(false)}>{t('action.cancel')}</Button>
          </div>
        </>
      ) : (
        <Button onClick={() => setAsking(true)}>{t('token.button')}</Button>
      )}
    </fieldset>
  )
}
