#!/usr/bin/env bash
# Plays the main job from end to end with the real programs: a worker offline, a gateway, colleagues with and without
# access, an export, a revocation. Every line after a $ is what a person would type; what follows is its real output.
#
# Usage: sample-data/demo.sh DIRECTORY-WITH-THE-PROGRAMS
set -uo pipefail
# Passwords and passphrases lie in files here: for nobody else to read.
umask 077
programs=$(cd "${1:?the folder with the programs}" && pwd)
cd "$(dirname "$0")"
export PATH="$programs:$PATH"
work=$(mktemp -d "${TMPDIR:-/tmp}/fieldbook-demo.XXXXXX")
gateway_process="" sync_process=""
checks=() failed=0 started=$SECONDS

# ---------------------------------------------------------------------------------------------------------- tools

finish() {
    local status=$?
    [ -n "$sync_process" ] && kill "$sync_process" 2>/dev/null
    [ -n "$gateway_process" ] && kill "$gateway_process" 2>/dev/null
    wait 2>/dev/null
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
# Shows a command as it is typed, then runs it.
run() {
    printf '\n%s$ ' "$prompt"
    printf '%s' "$1"; shift_words "${@:2}"
    "$@"
}
# Syncs, and notes whose sync failed or had a record refused.
unclean=""
run_sync() {
    run fieldbook sync 2>&1 | tee "$work/sync.txt"
    if [ "${PIPESTATUS[0]}" != 0 ] || grep -q refused "$work/sync.txt"; then unclean+="$prompt"; fi
}
shift_words() {
    local word
    for word in "$@"; do
        case $word in *[!A-Za-z0-9_./:=+-]*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
}
# check NAME EXPECTED FOUND
check() {
    if [ "$2" = "$3" ]; then checks+=("PASS|$1|${3//$'\n'/ }"); else checks+=("FAIL|$1|${3//$'\n'/ }, not ${2//$'\n'/ }"); failed=1; fi
}
# Waits until a command succeeds, at most so many seconds.
await() {
    local seconds=$1 end=$((SECONDS + $1)); shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -ge $end ] && { echo "Waited $seconds seconds for: $*" >&2; return 1; }
        sleep 0.1
    done
}
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 20000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}
# One laptop for each person: its folder, and the file with its passphrase.
laptop() {
    prompt="$1 "
    export FIELDBOOK_FOLDER="$work/$1" FIELDBOOK_PASSPHRASE_FILE="$work/$1.passphrase"
}
admin() {
    curl --silent --show-error --fail --cacert "$work/gateway/cert.pem" --user "admin:$admin_password" -H 'Content-Type: application/json' "$@"
}
ids() { fieldbook list "$1" --json 2>/dev/null | cut -d'"' -f4 | sort; }
number() { fieldbook list "$@" --json 2>/dev/null | wc -l | tr -d ' '; }
waiting() { fieldbook status --json 2>/dev/null | grep -o '"waiting":[0-9]*' | cut -d: -f2 | paste -sd+ | bc_sum; }
bc_sum() { local sum; read -r sum; echo $((sum)); }
all_is_sent() { [ "$(waiting)" = 0 ]; }

start_gateway() {
    fieldbook-gateway serve --config "$work/gateway/gateway.yaml" >>"$work/gateway.log" 2>&1 &
    gateway_process=$!
    await 20 curl --silent --insecure "https://127.0.0.1:$public/"
}
stop_gateway() {
    kill "$gateway_process"; wait "$gateway_process" 2>/dev/null
    gateway_process=""
}

# -------------------------------------------------------------------------------------------------------- gateway

title "1. The administrator sets up a gateway"
prompt="admin "
run fieldbook-gateway init --folder "$work/gateway" --host 127.0.0.1 | tee "$work/init.txt"
admin_password=$(sed -n 's/^Password: *//p' "$work/init.txt")
public=$(free_port) private=$(free_port) metrics=$(free_port)
sed -i "s/0\.0\.0\.0:4984/127.0.0.1:$public/; s/127\.0\.0\.1:4985/127.0.0.1:$private/; s/127\.0\.0\.1:4986/127.0.0.1:$metrics/" \
    "$work/gateway/gateway.yaml"
printf '\nadmin $ fieldbook-gateway serve --config %s &\n' "$work/gateway/gateway.yaml"
start_gateway || exit 1
admin_url="https://127.0.0.1:$private/field"
echo "It listens on 127.0.0.1:$public."
admin -X PUT "$admin_url/" -d @database.json || exit 1
admin -X POST "$admin_url/_role/" -d '{"name":"supervisor"}' || exit 1
admin -X POST "$admin_url/_role/" -d '{"name":"office"}' || exit 1
for user in mara tomas ines office; do
    password=$(head -c 12 /dev/urandom | base64 | tr '+/' 'ab')
    echo "$password" >"$work/$user.password"
    echo "the passphrase of $user" >"$work/$user.passphrase"
    sed "s|PASSWORD|$password|" "users/$user.json" | admin -X PUT "$admin_url/_user/$user" -d @- || exit 1
done
for collection in sites inspections findings forms assignments; do
    awk 'BEGIN { printf "{\"docs\":[" } { printf "%s%s", (NR > 1 ? "," : ""), $0 } END { print "]}" }' \
        "$collection.jsonl" | admin -X POST "https://127.0.0.1:$private/field.field.$collection/_bulk_docs" -d @- \
        >>"$work/load.txt" || exit 1
done
echo "The database 'field' has its sync function, four users and the sample data."

# -------------------------------------------------------------------------------------------------- first inspector

echo
echo "(Passwords and passphrases come from files here, so that nobody has to type them.)"
title "2. The office publishes the forms with groups, conditions and calculations"
address="wss://127.0.0.1:$public/field"
sign_in() {
    laptop "$1"
    run fieldbook init
    run fieldbook login "$address" "$1" --password-file "$work/$1.password" --pinned-cert "$work/gateway/authority.pem"
    run_sync
}
sign_in office
for form in forms/*.yaml; do run fieldbook form import "$form"; done
run_sync
run fieldbook form list

title "3. Mara, who inspects the harbour and the mill, signs in once"
sign_in mara
check "Mara has the sites of her two districts" 32 "$(number sites)"
check "Mara has the forms of the office" 6 "$(number forms)"

title "4. The network is gone; Mara works"
stop_gateway
echo "(the gateway is stopped)"
printf '\nmara $ fieldbook\n'
fieldbook shell --replay session.txt
check "Work waits on the laptop to be sent" 6 "$(waiting)"
printf '\nmara $ fieldbook sync --continuous &\n'
fieldbook sync --continuous >"$work/mara-sync.txt" 2>&1 &
sync_process=$!
await 20 grep -q Offline "$work/mara-sync.txt"
cat "$work/mara-sync.txt"

title "5. The network is back: the laptop syncs by itself"
start_gateway || exit 1
echo "(the gateway is started)"
await 30 grep -q Sent "$work/mara-sync.txt"
await 30 all_is_sent
sed '1,/^Offline/d' "$work/mara-sync.txt"
check "Nothing waits any more" 0 "$(waiting)"
check "The gateway knows that the fault is fixed" 1 \
    "$(admin "https://127.0.0.1:$private/field.field.findings/finding-002-1" 2>/dev/null | grep -c '"corrected"')"

# ------------------------------------------------------------------------------------------------------ colleagues

title "6. Tomas, of other districts, sees none of it"
mara_inspections=$(ids inspections)
sign_in tomas
run fieldbook sites amber
check "Tomas sees no inspection of Mara's" 0 "$(comm -12 <(echo "$mara_inspections") <(ids inspections) | grep -c .)"
check "Tomas sees the sites of his own districts" 32 "$(number sites)"

title "7. Ines, who supervises the harbour, the mill and the orchard, sees all of it"
sign_in ines
check "Ines sees every inspection of Mara's" "$(echo "$mara_inspections" | wc -l)" \
    "$(comm -12 <(echo "$mara_inspections") <(ids inspections) | wc -l)"
new=$(fieldbook list inspections --json | grep '"createdBy":"mara"' | grep submitted | cut -d'"' -f4)
run fieldbook show "$new"
run fieldbook approve "$new"
run_sync
check "Her approval has arrived at the gateway" approved \
    "$(admin "https://127.0.0.1:$private/field.field.inspections/$new" | grep -o '"status":"[a-z]*"' | cut -d'"' -f4)"

title "8. The administrator reads and exports"
prompt="admin "
printf '\nadmin $ curl %s/_all_docs?limit=1\n' "https://127.0.0.1:$private/field.field.sites"
admin "https://127.0.0.1:$private/field.field.sites/_all_docs?limit=1"; echo
echo "office" >"$work/office.passphrase"
head -c 12 /dev/urandom | base64 | tr '+/' 'ab' >"$work/office.password"
sed "s|PASSWORD|$(cat "$work/office.password")|" users/office.json | admin -X PUT "$admin_url/_user/office" -d @- || exit 1
sign_in office
run fieldbook export "$work/export"
check "All 64 sites are exported as CSV" 65 "$(wc -l <"$work/export/sites.csv" | tr -d ' ')"
check "All 242 inspections are exported as JSON lines" 242 "$(wc -l <"$work/export/inspections.jsonl" | tr -d ' ')"
check "The photo is exported as it was taken" same \
    "$(find "$work/export/attachments" -name cold-store.png -exec cmp -s photos/cold-store.png {} \; -exec echo same \;)"
pictures() { LC_ALL=C grep -rlaP '\x89PNG' "$1" 2>/dev/null | wc -l | tr -d ' '; }
check "A picture can be found in the export, but not in Mara's sealed folder" "1 0" \
    "$(pictures "$work/export") $(pictures "$work/mara")"

# ------------------------------------------------------------------------------------------------------- revocation

title "9. Mara loses the mill while one of her edits there has never been sent"
kill "$sync_process"; wait "$sync_process" 2>/dev/null; sync_process=""
laptop mara
before=$(ids sites)
run fieldbook edit site-mill-01 "notes=The sluice gate sticks"
echo
echo "admin: Mara is moved to the harbour alone"
sed "s|PASSWORD|$(cat "$work/mara.password")|; s|,\"district.mill\"||g" users/mara.json \
    | admin -X PUT "$admin_url/_user/mara" -d @- || exit 1
run_sync
run fieldbook quarantine
run fieldbook quarantine show 1
check "The mill's sites are gone from the laptop, and no other" "$(echo "$before" | grep -v '^site-mill-')" "$(ids sites)"
check "So are its inspections" 0 "$(number inspections --district mill)"
check "The harbour's inspections are all there" 66 "$(number inspections --district harbour)"
check "The edit that was never sent is in quarantine" 1 "$(fieldbook quarantine --json | grep -c 'sluice gate sticks')"

# ---------------------------------------------------------------------------------------------------------- summary

check "Every sync ended without an error or a refused record" "" "$unclean$(grep -c refused "$work/mara-sync.txt" | sed '/^0$/d')"

stop_gateway
title "Summary"
for line in "${checks[@]}"; do
    IFS='|' read -r verdict name found <<<"$line"
    [ "${#found}" -gt 40 ] && found="${found:0:37}..."
    printf '  %s  %-62s %s\n' "$verdict" "$name" "$found"
done
printf '\n%s of %s checks passed in %s seconds. The files are in %s\n' "$(printf '%s\n' "${checks[@]}" | grep -c '^PASS')" "${#checks[@]}" \
    "$((SECONDS - started))" "$work"
exit "$failed"
