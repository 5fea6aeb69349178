import type { CatalogInfo } from '@vitrine/protocol'
import { useContext, useEffect, useState } from 'react'
import { CatalogsContext, useVitrine } from '../../context.tsx'
import { readAnswer } from '../../read-answer.ts'
import type { DrawnCatalog } from '../drawn-catalogs.ts'

/** A catalog of the server, with what draws it on this page. */
export interface HostCatalog {
  readonly info: CatalogInfo
  readonly drawing: DrawnCatalog
}

/** The catalogs of the server beside the basic one, with their modules; undefined until they are here. */
export function useHostCatalogs(): readonly HostCatalog[] | undefined {
  const { client } = useVitrine()
  const find = useContext(CatalogsContext)
  const [found, setFound] = useState<readonly HostCatalog[]>()
  useEffect(() => {
    let gone = false
    const load = async () => {
      const answer = await readAnswer<'CatalogList'>(client, '/catalogs')
      const all = (answer?.catalogs ?? []).map(async info => ({ info, drawing: await find(info.ids[0]) }))
      const hosts = await Promise.all(all)
      if (!gone) setFound(hosts)
    }
    void load()
    return () => {
      gone = true
    }
  }, [client, find])
  return found
}
