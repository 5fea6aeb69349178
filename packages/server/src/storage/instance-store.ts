/** The id of an installation and the secret that signs its cookies. */
export interface InstanceStore {
  /** Made once for each data folder; the secret signs cookies and tokens. */
  instance(): Promise<{ id: string; secret: string }>
  /** Replaces the secret by a new one and returns it: what the old one signed counts no more. */
  rotateSecret(): Promise<string>
}
