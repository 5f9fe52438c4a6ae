# Completion of clockctl for fish: /usr/share/fish/vendor_completions.d/clockctl.fish
# `clockctl __complete` knows what fits; ctl/src/completion describes its answer.

function __clockctl_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l program $words[1]
    set -e words[1]
    set -l token (commandline --cut-at-cursor --current-token)
    set -l answer ($program __complete $words "$token" 2>/dev/null </dev/null)
    test "$answer[1]" = files; and __fish_complete_path "$token"
    set -e answer[1]
    string join -- \n $answer
end

complete --command clockctl --no-files --keep-order --arguments '(__clockctl_complete)'
