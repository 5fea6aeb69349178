import { useSetting } from '@vitrine/react'
import { useEffect } from 'react'

export type Theme = 'system' | 'light' | 'dark'
export type Contrast = 'system' | 'normal' | 'more'

/** The appearance a person chose, remembered; `system` follows the device. */
export function useTheme() {
  const [theme, setTheme] = useSetting<Theme>('vitrine.theme', 'system')
  const [contrast, setContrast] = useSetting<Contrast>('vitrine.contrast', 'system')
  useEffect(() => set('theme', theme), [theme])
  useEffect(() => set('contrast', contrast), [contrast])
  return { theme, setTheme, contrast, setContrast }
}

function set(name: 'theme' | 'contrast', value: string) {
  const { dataset } = document.documentElement
  if (value === 'system') delete dataset[name]
  else dataset[name] = value
}
