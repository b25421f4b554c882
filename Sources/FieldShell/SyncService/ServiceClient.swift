import Dispatch
import FieldSync
import Foundation
import Glibc

/// A command's side of a sync that the service does: asks for it, shows how it goes, and waits for the answer.
struct ServiceClient {
    let session: ShellSession
    let folder: ServiceFolder

    private enum Input: Sendable {
        case notesChanged
        case secondPassed
        case interrupted
    }

    /// - Throws: what the service could not do; `Stopped` after Ctrl-C, which the service does not mind.
    func sync(resets: Bool) async throws -> SyncReport {
        session.dialogue.show("The sync service runs; it syncs now.")
        let request = SyncRequest(id: UUID().uuidString, resets: resets)
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        let watch = try FolderWatch(folder.url) { name in
            if name == ServiceFolder.notesName { continuation.yield(.notesChanged) }
        }
        defer { watch.cancel() }
        let clock = everySecond { continuation.yield(.secondPassed) }
        defer { clock.cancel() }
        let interrupt = session.stopsOnInterrupt ? Interrupts.shared.handle { continuation.yield(.interrupted) } : nil
        defer { interrupt?.remove() }
        try folder.ask(request)
        defer {
            folder.withdraw(request)
            session.meter.finish()
        }
        return try result(try await answer(to: request, inputs))
    }

    private func everySecond(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "fieldbook.sync-client"))
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler(handler: body)
        timer.activate()
        return timer
    }

    private func answer(
        to request: SyncRequest, _ inputs: AsyncStream<Input>
    ) async throws -> SyncNotes.Answer {
        var silence = 0
        for await input in inputs {
            let service = folder.notes().service
            if let answer = service?.answers.last(where: { $0.id == request.id }) { return answer }
            switch input {
            case .notesChanged:
                silence = 0
                show(service?.state)
            case .secondPassed:
                silence += 1
                guard try folder.isServiceRunning() else { throw ServiceTrouble.ended }
                guard silence < ServiceLimits.answerTimeout else {
                    throw ServiceTrouble.doesNotAnswer(process: service?.process)
                }
            case .interrupted:
                Terminal.write("\n", to: STDERR_FILENO)
                throw Stopped("The sync service goes on by itself.")
            }
        }
        throw ServiceTrouble.ended
    }

    private func show(_ state: ServiceState?) {
        guard let state, state.activity == .exchanging, state.completed > 0 else { return }
        session.meter.update("records", completed: state.completed, total: nil)
    }

    private func result(_ answer: SyncNotes.Answer) throws -> SyncReport {
        var report = answer.report ?? SyncReport()
        report.by = .service
        guard let failure = answer.failure else { return report }
        if !report.isEmpty { session.emit(.synced(report)) }
        let state = folder.notes().service?.state.activity
        throw ServiceTrouble.failed(failure, goesOnByItself: state == .offline)
    }
}
