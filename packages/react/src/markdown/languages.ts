/** A language whose code can be highlighted. */
export interface Language {
  id: string
  name: string
  /** How files of it end. */
  ending: string
}

/** `id|name|ending|other names`. Each language is fetched by itself when the first code of it is shown. */
const LIST = `
bat|Batch|bat|batch cmd
c|C|c|h
clojure|Clojure|clj|clj
cpp|C++|cpp|c++ cc hpp
csharp|C#|cs|c# cs
css|CSS|css|
dart|Dart|dart|
diff|Diff|diff|patch
docker|Dockerfile|dockerfile|dockerfile
elixir|Elixir|ex|ex exs
erlang|Erlang|erl|erl
fsharp|F#|fs|f# fs
go|Go|go|golang
graphql|GraphQL|graphql|gql
groovy|Groovy|groovy|gradle
haskell|Haskell|hs|hs
hcl|HCL|hcl|
html|HTML|html|htm
http|HTTP|http|
ini|INI|ini|properties conf
java|Java|java|
javascript|JavaScript|js|js cjs mjs node
json|JSON|json|json5 jsonl
jsonc|JSON with comments|jsonc|
jsx|JSX|jsx|
julia|Julia|jl|jl
kotlin|Kotlin|kt|kt kts
latex|LaTeX|tex|tex
lua|Lua|lua|
make|Makefile|mk|makefile
markdown|Markdown|md|md
matlab|MATLAB|m|
nginx|nginx|conf|
nix|Nix|nix|
objective-c|Objective-C|m|objc objectivec
perl|Perl|pl|pl
php|PHP|php|
powershell|PowerShell|ps1|ps ps1 pwsh
proto|Protocol Buffers|proto|protobuf
python|Python|py|py python3
r|R|r|
ruby|Ruby|rb|rb
rust|Rust|rs|rs
scala|Scala|scala|
scss|SCSS|scss|sass
shellscript|Shell|sh|bash sh shell zsh console shellsession terminal
solidity|Solidity|sol|sol
sql|SQL|sql|mysql postgres postgresql sqlite
svelte|Svelte|svelte|
swift|Swift|swift|
terraform|Terraform|tf|tf
toml|TOML|toml|
tsx|TSX|tsx|
typescript|TypeScript|ts|ts cts mts
vue|Vue|vue|
wasm|WebAssembly|wat|wat
xml|XML|xml|svg
yaml|YAML|yaml|yml
zig|Zig|zig|
`

const languages = new Map<string, Language>()
for (const line of LIST.trim().split('\n')) {
  const [id, name, ending, others] = line.split('|') as [string, string, string, string]
  for (const called of [id, ...others.split(' ')]) if (called) languages.set(called, { id, name, ending })
}

/** The ids of all languages. */
export const languageIds = (): Set<string> => new Set([...languages.values()].map(({ id }) => id))

/** The language that goes by a name after a fence. */
export const languageOf = (name: string): Language | undefined => languages.get(name.toLowerCase())
