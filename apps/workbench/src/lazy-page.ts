import { lazily } from '@vitrine/react'
import type { ComponentType } from 'react'
import type { Page } from './routes.ts'

const loaded = new WeakMap<Page, ComponentType>()

/** One lazy component a page, so that coming back to it does not load it again. */
export function lazyPage(page: Page): ComponentType {
  const found = loaded.get(page) ?? lazily(page.load)
  loaded.set(page, found)
  return found
}
