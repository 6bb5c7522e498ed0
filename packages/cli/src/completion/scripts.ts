/** The completion scripts for shells. Each of them calls the command itself for the candidates. */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The hidden command; `:files` and `:folders` leave it to the shell. */
export const completeCommand = '__complete';

const bash = `# Completion of fleet for bash. In ~/.bashrc: source <(fleet completion bash)
_fleet() {
  local program=\${COMP_WORDS[0]/#\\~/$HOME} line
  local -a lines
  mapfile -t lines < <("$program" ${completeCommand} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  for line in "\${lines[@]}"; do
    case $line in
      :files) compopt -o default; return ;;
      :folders) compopt -o dirnames; return ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done
}
complete -F _fleet fleet
`;

const zsh = `#compdef fleet
# Completion of fleet for zsh. In ~/.zshrc, behind compinit: source <(fleet completion zsh)
_fleet() {
  local line
  local -a lines candidates
  lines=("\${(@f)$("\${words[1]}" ${completeCommand} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      *) candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#candidates )) && _describe fleet candidates
}
if [[ $funcstack[1] == _fleet ]]; then _fleet "$@"; else compdef _fleet fleet; fi
`;

const fish = `# Completion of fleet for fish: fleet completion fish > ~/.config/fish/completions/fleet.fish
function __fleet_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (command $words[1] ${completeCommand} -- $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path "$current"
      case ':folders'
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c fleet -f -a '(__fleet_complete)'
`;

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
