# Completion of clockctl for bash: /usr/share/bash-completion/completions/clockctl
# `clockctl __complete` knows what fits; ctl/src/completion describes its answer.

_clockctl() {
    local line=${COMP_LINE:0:COMP_POINT} words=() word rest kind candidate quote=''
    # bash splits words at = and : as well, which clockctl does not. Parts without a space between them are one word.
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        rest=${line#"${line%%[![:space:]]*}"}
        word=${rest:0:${#word}}
        if [[ $rest == "$line" && ${#words[@]} -gt 0 ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        line=${rest:${#word}}
    done
    word=${words[${#words[@]} - 1]}
    [[ $word == [\"\']* ]] && quote=${word:0:1}
    # The words as clockctl would get them, as far as quotation marks and backslashes around simple text go.
    words=("${words[@]//[\"\'\\]/}")
    word=${words[${#words[@]} - 1]}
    COMPREPLY=()
    while IFS= read -r candidate; do
        if [[ -z $kind ]]; then
            kind=$candidate
            continue
        fi
        candidate=${candidate%%$'\t'*}
        # readline replaces only what follows the last = or : of the word.
        [[ $word == *[=:]* ]] && candidate=${candidate#"${word%"${word##*[=:]}"}"}
        [[ -z $quote ]] && printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
    done < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null </dev/null)
    # Without candidates, readline completes the name of a file.
    [[ $kind == files ]] && compopt -o default
    return 0
}
complete -o nosort -F _clockctl clockctl
