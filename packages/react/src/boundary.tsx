import { Component, type ReactNode, useEffect } from 'react'

interface Props {
  /** When this value changes, the boundary tries to draw again. */
  content?: unknown
  /** For content that changes in place: tells of a change until the function that it returns is called. */
  watch?: ((changed: () => void) => () => void) | undefined
  fallback: (error: unknown) => ReactNode
  children: ReactNode
}

interface State {
  failure: { error: unknown } | null
  /** The content that failed, once it is known. */
  failed: { content: unknown } | null
}

const WELL: State = { failure: null, failed: null }

/** What cannot be drawn says so in its place and comes back when its content changes; everything around it stays. */
export class Boundary extends Component<Props, State> {
  override state = WELL

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ content }: Props, { failure, failed }: State): Partial<State> | null {
    if (!failure) return null
    if (!failed) return { failed: { content } }
    return failed.content === content ? null : WELL
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (!failure) return this.props.children
    return (
      <Failed watch={this.props.watch} again={this.again}>
        {this.props.fallback(failure.error)}
      </Failed>
    )
  }

  private again = () => this.setState(WELL)
}

function Failed({ watch, again, children }: Pick<Props, 'watch' | 'children'> & { again: () => void }) {
  useEffect(() => watch?.(again), [watch, again])
  return children
}
