import type { FileChange } from '@vitrine/protocol'
import { Suspense, useRef } from 'react'
import { useRowState, useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ChevronLeft, ChevronRight } from '../kit/icons.ts'
import { lazily } from '../lazily.tsx'
import { visibleText } from '../visible.tsx'
import { viewKeys } from './keys-help.tsx'

const DiffView = lazily(async () => ({ default: (await import('../diff/diff-view.tsx')).DiffView }))

interface Props {
  /** Under this name the file that is shown is remembered while the row is out of sight. */
  id: string
  changes: readonly FileChange[]
  /** How many more files there are that nobody can be shown. */
  more: number
  /** Called when other lines are shown, which may move what stands below them. */
  onDrawn?: () => void
}

/** The files that would be changed, one at a time. */
export function FileChanges({ id, changes, more, onDrawn }: Props) {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const [chosen, choose] = useRowState(`file:${id}`, 0)
  const at = Math.min(chosen, changes.length - 1)
  const change = changes[at]
  const count = changes.length
  const box = useRef<HTMLDivElement>(null)
  // What stands below does not move up for a shorter file: the next press would meet another button.
  const height = useRef(0)
  const go = (by: 1 | -1) => {
    const next = (at + by + count) % count
    height.current = Math.max(height.current, box.current?.offsetHeight ?? 0)
    choose(next)
    onDrawn?.()
    announce(t('changes.now', { path: visibleText(changes[next]!.path), at: next + 1, total: count }))
  }
  const place = count > 1 && (
    <span className="v-pager">
      {t('history.version', { at: at + 1, total: count })}
      <IconButton
        icon={ChevronLeft}
        label={t('changes.previous')}
        keys={viewKeys.previousFile}
        data-file="previous"
        onClick={() => go(-1)}
      />
      <IconButton
        icon={ChevronRight}
        label={t('changes.next')}
        keys={viewKeys.nextFile}
        data-file="next"
        onClick={() => go(1)}
      />
    </span>
  )
  return (
    <div ref={box} className="v-changes" style={{ minBlockSize: height.current || undefined }}>
      {change && (
        <Suspense fallback={<p className="v-diff-waits">{t('diff.waits')}</p>}>
          <DiffView
            path={change.path}
            before={change.before}
            after={change.after}
            line={change.line}
            cut={change.cut}
            end={place}
            onDrawn={onDrawn}
          />
        </Suspense>
      )}
      {more > 0 && <p className="v-diff-note">{t('changes.more', { count: more })}</p>}
    </div>
  )
}
