import Dispatch
import Foundation

/// A sync by the service: requests it, shows its progress, and waits for the answer.
struct ServiceClient {
    let folder: ServiceFolder
    let stop: SyncStop
    let show: (SyncProgress) -> Void

    private enum Input: Sendable {
        case notesChanged
        case secondPassed
        case stopAsked
    }

    /// - Throws: `SyncProblem`: the service's failure, or that the wait was cancelled, while the service goes on.
    func sync(resets: Bool) async throws -> SyncReport {
        show(.begun(by: .service))
        let request = SyncRequest(id: UUID().uuidString, resets: resets)
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        let watch = try FolderWatch(folder.url) { name in
            if name == ServiceFolder.notesName { continuation.yield(.notesChanged) }
        }
        defer { watch.cancel() }
        let clock = everySecond { continuation.yield(.secondPassed) }
        defer { clock.cancel() }
        stop.whenAsked { continuation.yield(.stopAsked) }
        try folder.ask(request)
        defer {
            folder.withdraw(request)
            show(.idle)
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

    private func answer(to request: SyncRequest, _ inputs: AsyncStream<Input>) async throws -> SyncNotes.Answer {
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
                guard try folder.isServiceRunning() else { throw SyncProblem.serviceEnded }
                guard silence < ServiceLimits.answerTimeout else {
                    throw SyncProblem.serviceDoesNotAnswer(process: service?.process)
                }
            case .stopAsked: throw SyncProblem.notAwaited
            }
        }
        // They end only when the task is cancelled.
        throw SyncProblem.notAwaited
    }

    private func show(_ state: ServiceState?) {
        guard let state, state.activity == .exchanging, state.completed > 0 else { return }
        show(.exchanged(records: state.completed))
    }

    private func result(_ answer: SyncNotes.Answer) throws -> SyncReport {
        var report = answer.report ?? SyncReport()
        report.by = .service
        guard let failure = answer.failure else { return report }
        let state = folder.notes().service?.state.activity
        throw SyncProblem.refusedByService(why: failure, goesOnByItself: state == .offline, report: report)
    }
}
