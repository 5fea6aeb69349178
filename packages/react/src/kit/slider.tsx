import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'value'> & {
  value: number
  /** The value as people read it. */
  text: string
  onSlide: (value: number) => void
}

/** A number on a line, with its value beside it. */
export function Slider({ value, text, onSlide, ...rest }: Props) {
  return (
    <div className="v-slider">
      <input
        {...rest}
        type="range"
        value={value}
        aria-valuetext={text}
        onChange={event => onSlide(Number(event.target.value))}
      />
      {/* The control itself is read out: an output element would say every step again. */}
      <span aria-hidden>{text}</span>
    </div>
  )
}
