import FieldRecords
import FieldSync
import Testing

@testable import FieldShell

/// What a person and systemd get of what the sync service reports.
@Suite struct ServiceReportingTests {
    private static let away = ServiceState(.offline, why: "The gateway cannot be reached: no route.")
    private static let refused = ServiceState(.waiting, why: "The gateway does not accept your password.")
    private static let connecting = ServiceState(.connecting)
    private static let idle = ServiceState(.idle)

    private func shown(_ events: [ServiceEvent], isAttended: Bool = false) throws -> String {
        let shell = try Shell()
        let dialogue = ScriptedDialogue(lines: [])
        shell.use(dialogue)
        let reporter = ShellReporter(shell.session, isAttended: isAttended)
        events.forEach(reporter.report)
        return dialogue.transcript
    }

    @Test func aStretchWithoutAGatewayIsNamedOnce() throws {
        let text = try shown([
            .state(Self.connecting, after: ServiceState(.starting)), .state(Self.away, after: Self.connecting),
            .state(Self.away, after: Self.away), .state(Self.idle, after: Self.away), .progress(Self.idle),
        ])
        #expect(
            text == """
                The gateway cannot be reached: no route.
                Offline. Your records are safe here; it goes on when the gateway is back.
                Connected.

                """)
    }

    /// Who looks on gets the error itself when the sync ends with it.
    @Test(arguments: [true, false]) func aRefusalIsNamedWhereItEndsNothing(isAttended: Bool) throws {
        let text = try shown([.state(Self.refused, after: Self.connecting)], isAttended: isAttended)
        #expect(text.isEmpty == isAttended)
        #expect(text.contains("Waiting. Your records are safe here") == !isAttended)
    }

    @Test func theSameRemarkIsMadeOnce() throws {
        let events: [ServiceEvent] = [.remark(.newSignIn), .remark(.newSignIn), .remark(.failed(why: "No."))]
        #expect(try shown(events) == "The new sign-in is used from now on.\nNo.\n")
    }

    @Test(
        arguments: [
            (.unusableSignIn(why: "No."), "No. It goes on with the sign-in that it has."),
            (.networkUnwatched(why: "No."), "No. After a refusal the service tries again after fixed times only."),
            (.requestsUnreadable(why: "No."), "The requests of the shells cannot be read: No."),
            (.statusUnwritten(why: "No."), "The shells cannot be notified of the progress: No."),
            (.clock(secondsAhead: 86_400 * 2), ServiceText.clockWarning(secondsAhead: 86_400 * 2)),
        ] as [(ServiceRemark, String)])
    func remarksAreSentences(remark: ServiceRemark, text: String) { #expect(ServiceText.remark(remark) == text) }

    @Test(
        arguments: [
            (.ready, .ready), (.reloading, .reloading), (.stopping, .stopping), (.alive, .alive),
            (.state(away, after: idle), .status("Offline: The gateway cannot be reached: no route.")),
            (.progress(idle), nil),
            (.exchanged(SyncReport()), nil), (.remark(.newSignIn), nil), (.ended, nil),
        ] as [(ServiceEvent, SystemdNotifier.Message?)])
    func systemdGetsWhatItAsksFor(event: ServiceEvent, message: SystemdNotifier.Message?) {
        #expect(SystemdReporter.message(event) == message)
    }

    @Test func whatSystemdDoesNotTakeIsShown() throws {
        let notifier = try #require(SystemdNotifier(["NOTIFY_SOCKET": "/nonexistent/notify"]))
        var failures: [String] = []
        let reporter = SystemdReporter(notifier: notifier) { failures.append($0) }
        reporter.report(.progress(Self.idle))
        reporter.report(.ready)
        #expect(failures.count == 1 && failures[0].hasPrefix("systemd cannot be notified: "))
    }

    @Test(
        arguments: [
            (
                .serviceRuns(process: 7),
                "The sync service of this folder runs already (process 7). Its state: status"
            ),
            (
                .serviceEnded,
                "The sync service has ended before it had done it. Sync again; your records are safe here."
            ),
            (.folderIsBusy, "Another sync of this folder runs, perhaps in another window. Wait until it has ended."),
            (
                .serviceDoesNotAnswer(process: 7),
                "The sync service (process 7) does not answer. Stop it with: kill 7. Then sync again; your records are safe "
                    + "here."
            ),
            (
                .serviceDoesNotAnswer(process: nil),
                "The sync service does not answer. Then sync again; your records are safe here."
            ),
            (.refusedByService(why: "No.", goesOnByItself: false, report: SyncReport()), "No."),
            (
                .refusedByService(why: "No.", goesOnByItself: true, report: SyncReport()),
                "No. Your records are safe here; the sync service goes on when the gateway is back."
            ),
        ] as [(SyncProblem, String)])
    func problemsSayWhatToDo(problem: SyncProblem, text: String) { #expect(ErrorText.text(problem) == text) }
}
