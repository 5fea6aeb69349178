import type { Row } from '../row.ts'
import { run as engine } from './engine.ts'

export const run = async (): Promise<Row[]> => [...(await engine())]
