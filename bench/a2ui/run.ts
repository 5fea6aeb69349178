import type { Row } from '../row.ts'
import { run as engine } from './engine.ts'
import { run as react } from './react.ts'

export const run = async (): Promise<Row[]> => [...(await engine()), ...(await react())]
