import { Component, type ReactNode } from 'react'

interface Props {
  /** A new one is a new try. */
  content: unknown
  fallback: ReactNode
  children: ReactNode
}

/** What cannot be drawn says so in its place; everything around it stays. */
export class Boundary extends Component<Props, { failed: unknown }> {
  override state = { failed: undefined as unknown }

  static getDerivedStateFromError(): { failed: unknown } {
    return { failed: true }
  }

  override componentDidUpdate(before: Props): void {
    if (before.content !== this.props.content && this.state.failed) this.setState({ failed: undefined })
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
