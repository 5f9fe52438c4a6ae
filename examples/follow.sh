#!/bin/sh
# Follows the clock on the system bus, also over restarts of the service, and prints what it shows at each change and each
# second. Needs gdbus (Debian: libglib2.0-bin). Each line is computed from one state, which GetState returns as a whole.
set -u
service=org.chessclock.Clock1
object=/org/chessclock/Clock1

method() {
    gdbus call --system --timeout 5 --dest $service --object-path $object --method "$service.$1" 2>/dev/null
}

# The value of a property in what GetState has printed, such as: 'AtNSec': <uint64 5>
value() {
    printf '%s\n' "$state" | sed -n "s/.*'$1': <\(uint64 \|int64 \|uint32 \)\{0,1\}'\{0,1\}\([^>']*\)'\{0,1\}>.*/\2/p"
}

# A time as the face shows it: rounded up, with tenths below 20 s.
face() {
    if [ "$1" -le 19900000000 ]; then
        tenths=$((($1 + 99999999) / 100000000))
        echo "$((tenths / 10)).$((tenths % 10))"
        return
    fi
    seconds=$((($1 + 999999999) / 1000000000))
    if [ $seconds -ge 3600 ]; then
        printf '%d:%02d:%02d\n' $((seconds / 3600)) $((seconds / 60 % 60)) $((seconds % 60))
    else
        printf '%d:%02d\n' $((seconds / 60)) $((seconds % 60))
    fi
}

# The section "How to show a running clock" of docs/dbus.rst.
show() {
    state=$(method GetState) && timebase=$(method GetTimebase) || { echo 'no clock service'; return; }
    now=${timebase#(uint64 }
    now=${now%%,*}
    White=$(value WhiteRemainingNSec) Black=$(value BlackRemainingNSec)
    case $(value Running) in
    white) side=White other=Black ;;
    black) side=Black other=White ;;
    *) side='' ;;
    esac
    if [ -n "$side" ] && [ "$(value ${side}OutOfTime)" = false ]; then
        used=$((now - $(value AtNSec) - $(value ${side}DelayNSec)))
        [ $used -ge 0 ] || used=0
        eval "left=\$$side"
        counting=$(value Counting)
        if [ "$counting" = up ]; then
            left=$((left + used))
            limit=$(value ${side}LimitNSec)
            if [ "$limit" -ge 0 ] && [ $left -gt "$limit" ]; then left=$limit; fi
        else
            [ $used -le "$left" ] || used=$left
            left=$((left - used))
            [ "$counting" != hourglass ] || eval "$other=\$((\$$other + used))"
        fi
        eval "$side=\$left"
    fi
    echo "White $(face "$White")  Black $(face "$Black")  $(value Phase)"
}

{
    gdbus monitor --system --dest $service --object-path $object &
    while echo tick; do sleep 1; done
} | while read -r line; do
    case $line in
    tick | *".Transition "* | *'does not have an owner'* | *'is owned by'*) show ;;
    esac
done
