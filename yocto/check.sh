#!/bin/bash
# Checks the Yocto layer as far as that is possible without building an image (README.md says what that leaves out).
# `make yocto-check` installs the tools before.
#
# usage: [LAYERS=FOLDER] yocto/check.sh [CHECK]...    without a CHECK, all
#
# LAYERS: a folder with clones of the layers that kas/*.yml name (bitbake, openembedded-core, meta-raspberrypi, meta-rauc).
# With it, kas resolves its files and bitbake parses all recipes and resolves what each image depends on; no network is used.
set -euo pipefail

YOCTO=$(cd "$(dirname "$0")" && pwd)
. "$YOCTO/../tests/tools.sh"
# The cache and the kernel's source are those of the virtual machine of the tests. It also has `fail` and `fingerprint`.
. "$YOCTO/../tests/appliance/build/common.sh"
LAYER=$YOCTO/meta-chessclock
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

fail() {
    printf 'yocto-check: %s\n' "$@" >&2
    exit 1
}

# The only file of the layer with this name, wherever it is.
layer_file() {
    local found
    found=$(find "$LAYER" -type f -name "$1")
    [ -f "$found" ] || fail "there is not one file $1 in the layer but: ${found:-none}"
    printf '%s\n' "$found"
}

check_crates() {
    python3 "$YOCTO/update-crates" --check
    local clock system
    clock=$(sed -n 's/^PV = "\(.*\)"/\1/p' "$(layer_file chess-clock-crates.inc)")
    system=$(sed -n 's/^DISTRO_VERSION = "\(.*\)"/\1/p' "$(layer_file chess-clock-os.conf)")
    [ "$clock" = "$system" ] || fail "DISTRO_VERSION in chess-clock-os.conf is $system, and the clock's version is $clock"
}

# Runs a function of a recipe in the shell, as bitbake does, with the folders of a root: `run_recipe RECIPE FUNCTION ROOT`.
run_recipe() (
    recipe=$(layer_file "$1")
    # shellcheck disable=SC2034  # the function uses these variables
    D=$3 IMAGE_ROOTFS=$3 S=${recipe%_*} B=$WORK CARGO_TARGET_SUBDIR=programs prefix=/usr sysconfdir=/etc localstatedir=/var \
        datadir=/usr/share libexecdir=/usr/libexec nonarch_libdir=/usr/lib systemd_system_unitdir=/usr/lib/systemd/system
    [ -d "$S" ] || S=$TREE
    oe_runmake() { make -s "$@"; }
    bbfatal() { fail "${recipe##*/}: $*"; }
    # shellcheck source=/dev/null
    . <(sed -n "/^$2 *() {/,/^}/p" "$recipe")
    "$2"
)

# The files of the recipe chess-clock, with empty programs.
install_clock() {
    local program
    for program in clockd clockctl clock-display; do
        install -D -m 755 /dev/null "$WORK/target/programs/$program"
    done
    run_recipe chess-clock_git.bb do_install "$1"
}

# Every file that `make install` and `make install-image` install is in a package.
check_files() {
    local program
    mkdir -p "$WORK/programs"
    for program in clockd clockctl clock-display; do
        install -m 755 /dev/null "$WORK/programs/$program"
    done
    make -s -C "$TREE" install DESTDIR="$WORK/installed" PREFIX=/usr BINARIES="$WORK/programs"
    make -s -C "$TREE" install-image DESTDIR="$WORK/installed"
    python3 "$YOCTO/check-files.py" "$(layer_file chess-clock_git.bb)" "$WORK/installed"
    # The recipe installs the same.
    install_clock "$WORK/of-recipe"
    diff -r --no-dereference "$WORK/installed" "$WORK/of-recipe" >&2 || fail 'the recipe does not install what make install and make install-image do'
}

# Errors only. The clock has no home page, and the lint would ask the internet for one.
check_recipes() {
    cat >"$WORK/constants.json" <<'END'
{"replacements": {"distros": ["chess-clock-os"], "machines": ["qemuall", "rpi"]}}
END
    find "$LAYER" -name '*.bb' -o -name '*.bbappend' | sort >"$WORK/recipes"
    xargs "$YOCTO_TOOLS/bin/oelint-adv" --release wrynose --quiet --relpaths --hide info --hide warning \
        --constantmods "+$WORK/constants.json" --suppress oelint.var.mandatoryvar.HOMEPAGE -- <"$WORK/recipes"
}

# A root with the units of the layer, those that they need, and a program for each command line.
check_units() {
    local root=$WORK/root units=() unit program
    mkdir -p "$root/usr/lib/systemd/system"
    for unit in $(find "$LAYER" -name '*.service'); do
        units+=("${unit##*/}")
        cp "$unit" "$root/usr/lib/systemd/system"
        for program in $(sed -n 's/^Exec[A-Za-z]*=\([^ ]*\).*/\1/p' "$unit"); do
            [ "$program" != "${program#/}" ] || program=/usr/bin/$program
            install -D -m 755 /dev/null "$root$program"
        done
    done
    add_drop_in "$root" clockd.service wait-for-data.conf
    add_drop_in "$root" sshdgenkeys.service host-keys.conf
    units+=(clockd.service sshdgenkeys.service)
    cp -a /usr/lib/systemd/system/*.target "$root/usr/lib/systemd/system"
    printf '[Unit]\nDescription=check\n[Mount]\nWhat=overlay\nWhere=/etc/chess-clock\nType=overlay\n' \
        >"$root/usr/lib/systemd/system/etc-chess\\x2dclock.mount"
    local said key image=$WORK/image
    stage_image "$image"
    python3 -B "$YOCTO/check-first.py" "$image" || exit
    said=$(systemd-analyze --root="$root" verify "${units[@]}" 2>&1) && [ -z "$said" ] || fail 'systemd-analyze verify:' "$said"
    systemd-tmpfiles --root="$(users_root)" --create "$(layer_file data-folders.conf)" || fail 'systemd-tmpfiles refuses data-folders.conf'
    # Under load, the disk of QEMU's model was found after 5 s, and the clock started without the game on record.
    ! grep '^LABEL=' "$(layer_file fstab)" | grep -v ',x-systemd.device-timeout=30s ' >&2 || fail 'fstab: a partition is not waited for during 30 s'
    ! grep -q '^RuntimeDirectory=' "$root/usr/lib/systemd/system/chronyd.service" ||
        fail 'chronyd opens no socket for chronyc in a folder that systemd makes for root'
    # systemd has no check for the settings of its manager, so each key must be a word in its own program.
    for key in $(sed -n 's/^\([A-Za-z]*\)=.*/\1/p' "$TREE/systemd/manager-chess-clock.conf"); do
        grep -aqsw "$key" /usr/lib/systemd/systemd /usr/lib/*/systemd/libsystemd-core-*.so ||
            fail "manager-chess-clock.conf: systemd does not know $key"
    done
}

# A root with the files of the layer's recipes, as they are in the image: `stage_image ROOT`.
stage_image() {
    local root=$1 unit
    install_clock "$root"
    for unit in chess-clock-system_1.0.bb chess-clock-update_1.0.bb; do
        run_recipe "$unit" do_install "$root"
    done
    install -D -m 644 "$(layer_file chronyd.service)" -t "$root/usr/lib/systemd/system"
    # The unit of iwd is in its sources, which are not here. This one is started at the same time.
    printf '[Unit]\nAfter=network-pre.target\n[Service]\nExecStart=/usr/libexec/iwd\n[Install]\nWantedBy=multi-user.target\n' \
        >"$root/usr/lib/systemd/system/iwd.service"
    # What openembedded-core does for a read-only root.
    sed '/^\/dev\/root/{s/defaults/ro/; s/[0-9]$/0/}' "$(layer_file fstab)" >"$root/etc/fstab"
    systemctl --quiet --root="$root" enable clockd.service chess-clock-set-up.service chess-clock-restore-time.service chess-clock-backup.socket \
        chess-clock-health.service chronyd.service iwd.service
    run_recipe chess-clock-image.inc start_clock_first "$root"
    # On a read-only root systemd makes no folder.
    for unit in $(sed -n 's#^\(/data/[a-z/]*\|overlay\) *\(/[a-z/-]*\) .*#\2#p' "$root/etc/fstab"); do
        [ -d "$root$unit" ] || fail "the root of the image has no folder $unit, on which fstab mounts"
    done
    run_recipe chess-clock-image.bb mask_check_of_root "$root"
}

# A unit of another recipe, with a drop-in of the layer: `add_drop_in ROOT UNIT FILE`.
add_drop_in() {
    local units=$1/usr/lib/systemd/system
    install -D -m 755 /dev/null "$1/usr/bin/program"
    printf '[Unit]\nDescription=check\n[Service]\nExecStart=/usr/bin/program\n' >"$units/$2"
    install -D -m 644 "$(layer_file "$3")" "$units/$2.d/10-data.conf"
}

# A root with the users of the image and an empty data partition.
users_root() {
    local root=$WORK/users
    mkdir -p "$root/etc" "$root/data"
    { echo root:x:0:0::/: && grep -v '^#' "$(layer_file chess-clock-passwd)"; } >"$root/etc/passwd"
    { echo root:x:0: && grep -v '^#' "$(layer_file chess-clock-group)"; } >"$root/etc/group"
    echo "$root"
}

check_sshd() {
    ssh-keygen -q -t ed25519 -N '' -f "$WORK/host-key"
    # The last one ends with a section of its own.
    { echo "HostKey $WORK/host-key" && cat "$(layer_file sshd.conf)" "$TREE/systemd/sshd-chess-clock.conf"; } >"$WORK/sshd.conf"
    [ -d /run/sshd ] || mkdir -p /run/sshd
    local settings setting
    settings=$(/usr/sbin/sshd -T -f "$WORK/sshd.conf" -C user=arbiter,host=clock,addr=192.0.2.1) || fail 'sshd refuses sshd.conf'
    for setting in 'passwordauthentication no' 'kbdinteractiveauthentication no' 'permitemptypasswords no' \
        'permitrootlogin without-password' 'authenticationmethods publickey' \
        'authorizedkeysfile /etc/chess-clock/authorized-keys/%u .*/data/ssh/authorized-keys/%u.*'; do
        grep -qix "$setting" <<<"$settings" || fail "sshd.conf does not give: $setting"
    done
}

# The lines of the buttons are inputs with pull-up resistors from the start on, and they are those of the wiring file.
check_boot_files() {
    local config wired listed settings line option
    config=$(layer_file config.txt)
    wired=$(sed -n '/^\[\(white\|black\|call\)\]/,/^line/s/^line = \([0-9]*\).*/\1/p' "$YOCTO/../configs/wiring/raspberry-pi.toml" | sort -n | paste -sd,)
    listed=$(sed -n 's/^gpio=\([0-9,]*\)=ip,pu$/\1/p' "$config")
    [ "$listed" = "$wired" ] || fail "config.txt has gpio=$listed=ip,pu, and the buttons of configs/wiring/raspberry-pi.toml are at $wired"
    ! grep -n '^.\{81\}' "$config" || fail 'a line of config.txt is longer than the 80 characters that the firmware reads'
    # What the firmware does before the kernel is the same on the card of Debian packages.
    settings=$(DPKG_ROOT=$(boot_partition) sh "$TREE/debian/chess-clock-boot" add >/dev/null &&
        sed -n '/^# BEGIN chess-clock/,/^# END/{/^[a-z]/p}' "$(boot_partition)/boot/firmware/config.txt")
    [ -n "$settings" ] || fail 'chess-clock-boot has written nothing'
    for line in $settings; do
        sed '/^\[all\]$/,/^\[/!d' "$config" | grep -qxF -- "$line" || fail "config.txt has no $line for all boards, and chess-clock-boot has it"
    done
    line=$(sed -n 's/^CMDLINE_DWC_OTG:chess-clock-os = "\(.*\)"$/\1/p' "$(layer_file rpi-cmdline.bbappend)")
    for option in dwc_otg.fiq_enable=0 dwc_otg.fiq_fsm_enable=0; do
        grep -qwF -- "$option" <<<"$line" || fail "CMDLINE_DWC_OTG has no $option: '$line'"
    done
    bash "$YOCTO/check-slots.sh" "$(layer_file boot.cmd.in)"
}

# A root with an empty boot partition.
boot_partition() {
    mkdir -p "$WORK/boot/boot/firmware"
    touch "$WORK/boot/boot/firmware/config.txt"
    echo "$WORK/boot"
}

# Each line of the fragments must be in the configuration that comes of the kernel's defconfig for arm64 and of them.
check_kernel() {
    local package=linux-source-6.12 deb source board fragments line name symbol objects=$WORK/kernel refused=''
    # kernel.sh builds a kernel when it runs, so only these two functions are taken from it.
    . <(sed -n '/^fetch_source() {/,/^}/p; /^unpack_source() {/,/^}/p' "$APPLIANCE/build/kernel.sh")
    compgen -G "$CACHE/${package}_*.deb" >/dev/null || step 'kernel source' fetch_source
    deb=$(compgen -G "$CACHE/${package}_*.deb" | sort -V | tail -1)
    source=$CACHE/source-$(fingerprint -- "${deb##*/}")
    [ -e "$source/Makefile" ] || step 'unpacking the kernel source' unpack_source
    for board in raspberry-pi qemu; do
        fragments=("$(layer_file clock.cfg)" "$(layer_file "$board.cfg")")
        mkdir -p "$objects"
        cat "$source/arch/arm64/configs/defconfig" "${fragments[@]}" >"$objects/.config"
        # A later line for a symbol replaces an earlier one, with a warning for each.
        make -s -C "$source" O="$objects" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- olddefconfig 2>"$WORK/warnings" ||
            fail "the kernel refuses the fragments for $board:" "$(cat "$WORK/warnings")"
        while read -r line; do
            case $line in
            '# CONFIG_'*' is not set')
                name=${line#\# CONFIG_}
                name=${name%% *}
                # A misspelt name is not set either.
                grep -rqxE --include='Kconfig*' "(menu)?config $name" "$source" || refused+="  no such symbol: $name"$'\n'
                ! grep -q "^CONFIG_$name=" "$objects/.config" || refused+="  $board: $line"$'\n'
                ;;
            CONFIG_*) grep -qxF "$line" "$objects/.config" || refused+="  $board: $line"$'\n' ;;
            esac
        done < <(cat "${fragments[@]}")
        # What the clock needs, whatever the fragments say. The recipe looks at the board's own configuration.
        cp "$objects/.config" "$WORK"
        run_recipe check-configuration.inc do_configure:append:chess-clock-os "$WORK"
    done
    [ -z "$refused" ] || fail "the kernel's configuration does not take:" "$(sort -u <<<"${refused%$'\n'}")"
}

# A bundle that Debian's rauc makes is accepted with the layer's configuration and its own certificate, and with no other one.
check_rauc() {
    local folder=$WORK/rauc compatible
    compatible=$(sed -n 's/^RAUC_BUNDLE_COMPATIBLE = "\(.*\)"/\1/p' "$(layer_file chess-clock-bundle_1.0.bb)")
    grep -qxF "compatible=${compatible/'${MACHINE}'/@MACHINE@}" "$(layer_file system.conf)" ||
        fail "system.conf does not accept bundles that are compatible with $compatible"
    mkdir -p "$folder/bundle"
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=check -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null
    # `rauc info` makes the data folder.
    sed -e "s/@MACHINE@/check/; s/@KEYRING@/cert.pem/; s#^data-directory=#&$folder#" "$(layer_file system.conf)" >"$folder/system.conf"
    # Not zeros: rauc refuses a bundle that compression makes smaller than 4 KiB.
    head -c 64K /dev/urandom >"$folder/bundle/root.ext4"
    printf '[update]\ncompatible=chess-clock-check\nversion=1\n[bundle]\nformat=verity\n[image.rootfs]\nfilename=root.ext4\n' \
        >"$folder/bundle/manifest.raucm"
    local said
    said=$(rauc bundle --cert="$folder/cert.pem" --key="$folder/key.pem" "$folder/bundle" "$folder/check.raucb" 2>&1) ||
        fail 'rauc cannot make a bundle:' "$said"
    said=$(rauc --conf="$folder/system.conf" info "$folder/check.raucb" 2>&1) || fail 'rauc refuses system.conf:' "$said"
    cp "$(layer_file none.pem)" "$folder/cert.pem"
    ! rauc --conf="$folder/system.conf" info "$folder/check.raucb" >/dev/null 2>&1 || fail 'a bundle is accepted without a certificate'
}

# What the two scripts do with each exit code of `clockctl status --exit-code`.
check_update_scripts() {
    local bin=$WORK/bin code allowed said
    mkdir -p "$bin"
    printf '#!/bin/sh\nexit "$CODE"\n' >"$bin/clockctl"
    printf '#!/bin/sh\necho "rauc $*"\n' >"$bin/rauc"
    printf '#!/bin/sh\n' >"$bin/sleep"
    chmod +x "$bin"/*
    for code in 0 11 12; do
        ! CODE=$code PATH=$bin:$PATH sh "$(layer_file chess-clock-update-allowed)" 2>/dev/null || fail "an update is allowed with code $code"
        said=$(CODE=$code PATH=$bin:$PATH sh "$(layer_file chess-clock-health)") || true
        [ "$said" = 'rauc status mark-good' ] || fail "a clock that answers with code $code is not marked good: $said"
    done
    for code in 1 10 13 14; do
        CODE=$code PATH=$bin:$PATH sh "$(layer_file chess-clock-update-allowed)" 2>/dev/null || fail "an update is refused with code $code"
    done
    said=$(CODE=1 PATH=$bin:$PATH sh "$(layer_file chess-clock-health)") && fail 'a clock that does not answer is marked good'
    case $said in *rauc*) fail "a clock that does not answer is marked good: $said" ;; esac
    CODE=10 PATH=$bin:$PATH sh "$(layer_file chess-clock-health)" >/dev/null || fail 'a ready clock is not marked good'
}

# Four updates of a clock with an adjourned game: refused, failing, cut off while it is written, and successful.
check_updates() {
    (cd "$TREE" && cargo build --quiet --locked --workspace --bins)
    python3 -B "$YOCTO/check-update.py" "${CARGO_TARGET_DIR:-$TREE/target}/debug"
}

check_kas() {
    "$YOCTO_TOOLS/bin/python" "$YOCTO/check-kas.py" "$YOCTO"/kas/*.yml
}

checks=(crates files boot_files update_scripts recipes units sshd kernel rauc updates kas)
[ -z "${LAYERS:-}" ] || checks+=(layers)
check_layers() { bash "$YOCTO/check-layers.sh" "$LAYERS"; }

[ $# = 0 ] || checks=("$@")
for check in "${checks[@]}"; do
    declare -F "check_$check" >/dev/null || fail "there is no check $check, but: ${checks[*]}"
    begun=$SECONDS
    "check_$check"
    printf 'yocto-check: %-14s %4s s\n' "$check" $((SECONDS - begun))
done
[ $# != 0 ] || [ -n "${LAYERS:-}" ] || echo 'yocto-check: not run: bitbake and kas on the layers themselves (LAYERS=FOLDER)'
