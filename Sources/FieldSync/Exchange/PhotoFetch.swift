import DocumentStore
import FieldModels
import FieldRecords
import Replication
import ServiceLifecycle

/// Fetches photos that records on this laptop lack: behind the records of a sync, or when a person needs them. It only adds
/// files of records that are here, so it may run beside the sync service.
public struct PhotoFetch {
    private let environment: SyncEnvironment
    private let connection: GatewayConnection
    private let stop: SyncStop
    private let show: (SyncProgress) -> Void

    /// - Throws: `SettingsError` if no user has signed in, or why the sign-in is not possible.
    public init(
        _ signIn: SignInSource, stop: SyncStop = SyncStop(), show: @escaping (SyncProgress) -> Void = { _ in }
    ) throws {
        self.init(signIn.environment, connection: try signIn.read(), stop: stop, show: show)
    }

    init(
        _ environment: SyncEnvironment, connection: GatewayConnection, stop: SyncStop,
        show: @escaping (SyncProgress) -> Void
    ) {
        self.environment = environment
        self.connection = connection
        self.stop = stop
        self.show = show
    }

    /// The photos that came, and why it has ended early.
    struct Outcome {
        var report = SyncReport()
        var failure: (any Error)?
        var progress = PhotoProgress()
    }

    /// Fetches what a person asks for, whatever the setting.
    ///
    /// - Parameter record: `nil` for the photos of all records.
    /// - Returns: how many files have come.
    /// - Throws: `SyncProblem.failed` if the gateway cannot be reached, or the exchange ended early; `StoreError`.
    public func fetch(of record: RecordReference?) async throws -> Int {
        let outcome = try await fetch(at: PhotoPace(.always)) { record == nil || $0.reference == record }
        if let failure = outcome.failure, !stop.isAsked {
            throw SyncProblem.failed(failure, report: outcome.report)
        }
        return outcome.progress.count
    }

    /// Fetches in portions, the records that changed last first.
    func fetch(
        at first: PhotoPace, where isWanted: (AbsentPhotos.Owner) -> Bool = { _ in true }
    ) async throws -> Outcome {
        var (pace, outcome) = (first, Outcome())
        defer { if outcome.progress.count > 0 { show(.idle) } }
        guard pace.next != nil else { return outcome }
        let absent = environment.field.absentPhotos
        for kind in AbsentPhotos.kinds {
            var owners = try absent.owners(of: kind).filter(isWanted)[...]
            outcome.progress.total += owners.reduce(0) { $0 + $1.files }
            outcome.progress.totalBytes += owners.reduce(0) { $0 + $1.bytes }
            while let size = pace.next, !owners.isEmpty, !stop.isAsked {
                let portion = owners.prefix(size)
                owners = owners.dropFirst(size)
                let (before, start) = (outcome.progress.bytes, ContinuousClock.now)
                try await fetch(portion.map(\.reference), into: &outcome)
                guard outcome.failure == nil else { return outcome }
                let time = (ContinuousClock.now - start) / .milliseconds(1)
                pace.note(bytes: outcome.progress.bytes - before, milliseconds: UInt64(max(0, time)))
            }
        }
        return outcome
    }

    private enum News: Sendable {
        case status(Replicator.Status)
        case came(bytes: UInt64)
    }

    /// One connection. A worker waits, so an attempt that fails is the last.
    private func fetch(_ records: [RecordReference], into outcome: inout Outcome) async throws {
        let replicator = Replicator(config: try connection.photoConfiguration(of: records))
        let (news, recorder) = (Inbox<News>(), SyncRecorder())
        let tokens = [
            replicator.addChangeListener { news.put(.status($0.status)) },
            replicator.addDocumentReplicationListener { recorder.add($0) },
            replicator.addAttachmentListener { attachment in
                recorder.add(attachment)
                news.put(.came(bytes: attachment.bytes))
            },
        ]
        defer { tokens.forEach { $0.remove() } }
        await withTaskCancellationOrGracefulShutdownHandler {
            replicator.start(reset: true)
            stop.whenAsked { replicator.stop() }
            var activity = Replicator.ActivityLevel.connecting
            while activity != .stopped {
                switch await news.next() {
                case .came(let bytes):
                    outcome.progress.count += 1
                    outcome.progress.bytes += bytes
                    show(.photos(outcome.progress))
                case .status(let status):
                    activity = status.activity
                    outcome.failure = status.error ?? outcome.failure
                    if activity == .offline { replicator.stop() }
                }
            }
        } onCancelOrGracefulShutdown: { [stop] in
            stop.ask()
        }
        outcome.report.add(recorder.take().report)
    }
}
