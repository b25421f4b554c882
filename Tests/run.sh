#!/usr/bin/env bash
# Runs the tests, which are built already: make test.
#
# Two lanes run beside each other, each of which runs one test after another: those that start programs wait more than they
# compute. The simulations come last, since each of them takes every core. `swift test` cannot run twice at once, so this
# starts the test program itself.
set -uo pipefail
cd "$(dirname "$0")/.."
program="$(swift build --show-bin-path)/fieldbookPackageTests.xctest"
# A test program that a signal ends prints where it was.
export SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,images=none,registers=none,output-to=stderr
logs="$(mktemp -d)"
trap 'rm -rf "$logs"' EXIT

run() {  # NAME ARGUMENTS...: to a log of that name and to the screen
    local name="$1"; shift
    "$program" --testing-library swift-testing "$@" 2>&1 | tee "$logs/$name"
    echo "${PIPESTATUS[0]}" > "$logs/$name.status"
}

run processes --no-parallel --filter IntegrationTests &
run modules --no-parallel --skip 'IntegrationTests|SimulationTests'
wait
run simulations --filter SimulationTests

# Those that were left out, with their reasons, and those that failed, are named once more at the end, where they are seen.
failed=0
for lane in modules processes simulations; do
    if grep -aqE ' skipped: "' "$logs/$lane"; then
        echo; echo "What was left out of $lane:"; grep -aE ' skipped: "' "$logs/$lane" | cut -c 1-600
    fi
    status="$(cat "$logs/$lane.status")"
    if [ "$status" != 0 ]; then
        failed=1
        echo; echo "What failed of $lane (status $status):"
        # A program that a signal ended reports no failed test: then its last lines say where it was, and why it crashed.
        grep -aE -A 3 'recorded an issue|[Ff]atal error|error: |[Cc]rashed|Exited with' "$logs/$lane" \
            | grep -avE '^(--|[^ ]*(◇|✔))' | cut -c 1-600 | tail -n 40
        echo; echo "The last lines of $lane:"
        grep -av '^ *$' "$logs/$lane" | tail -n 60 | cut -c 1-300
    fi
done
exit "$failed"
